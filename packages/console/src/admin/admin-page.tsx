import { Container, Tabs, Title } from '@mantine/core';
import { useState } from 'react';
import { Classes } from '../classes/classes.js';
import { usePageTitle } from '../shell/use-page-title.js';
import { ADMIN_TEXTS as T } from '../texts/admin.js';
import { AuditTab } from './audit-tab.js';
import { LoadTab, RunnersTab, SubmissionsTab } from './deployment-tabs.js';
import { JobsTab } from './jobs-tab.js';
import { type Act, ReasonModal } from './reason-modal.js';
import { RetentionTab } from './retention-tab.js';
import { UsageTab } from './usage-tab.js';
import { UsersTab } from './users-tab.js';

/** What operators see and do; everything on it is in the trail. */
export function AdminPage() {
  usePageTitle(T.title);
  const [tab, setTab] = useState<string | null>('jobs');
  const [user, setUser] = useState('');
  const [act, setAct] = useState<Act>();
  const showJobs = (username: string) => {
    setUser(username);
    setTab('jobs');
  };
  return (
    <Container size="xl" py="lg">
      <Title order={1} size="h2" mb="md">
        {T.title}
      </Title>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          {Object.entries(T.tabs).map(([name, label]) => (
            <Tabs.Tab key={name} value={name}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="jobs">
          <JobsTab key={user} user={user} onAct={setAct} />
        </Tabs.Panel>
        <Tabs.Panel value="load">
          <LoadTab />
        </Tabs.Panel>
        <Tabs.Panel value="runners">
          <RunnersTab onAct={setAct} />
        </Tabs.Panel>
        <Tabs.Panel value="submissions">
          <SubmissionsTab onAct={setAct} />
        </Tabs.Panel>
        <Tabs.Panel value="users">
          <UsersTab onAct={setAct} onJobs={showJobs} />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <UsageTab onAct={setAct} />
        </Tabs.Panel>
        <Tabs.Panel value="classes">
          <Classes onAct={setAct} />
        </Tabs.Panel>
        <Tabs.Panel value="retention">
          <RetentionTab onAct={setAct} />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditTab />
        </Tabs.Panel>
      </Tabs>
      <ReasonModal act={act} onClose={() => setAct(undefined)} />
    </Container>
  );
}
