import { Button, Card, Center, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call, toProblem } from '../api/client.js';
import { keepShareLink, shareLink } from '../api/share-link.js';
import { saveText } from '../results/save.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { SignIn } from '../shell/sign-in.js';
import { PEOPLE_TEXTS as T } from '../texts/people.js';

/** Takes the token out of the address, so that it stays neither in the history nor on the screen. */
function takeToken(): void {
  const token = location.hash.slice(1);
  if (token === '') return;
  keepShareLink(token);
  history.replaceState(null, '', location.pathname);
}

/** Gives the project as a file, which opens as a project of one's own. */
async function saveProject(projectId: string, title: string): Promise<void> {
  const { project } = await call('GET', '/projects/project', { query: { project_id: projectId } });
  saveText(`${title.replace(/[^\w.-]+/g, '_')}.json`, JSON.stringify(project, null, 2), 'application/json');
}

/** Where share links lead: on to what they open, by way of signing in where the deployment asks for it. */
export function SharedPage() {
  takeToken();
  const link = useQuery({
    queryKey: ['share-link', shareLink()],
    queryFn: () => call('GET', '/shares/link'),
    retry: false,
  });
  useEffect(() => {
    const { job_id: jobId } = link.data ?? {};
    if (jobId !== undefined) location.replace(`/console/jobs/${encodeURIComponent(jobId)}/results`);
  }, [link.data]);
  const { project_id: projectId, title = '' } = link.data ?? {};
  if (link.isError && toProblem(link.error).status === 401) return <SignIn hasExpired={false} />;
  return (
    <Center mih="100vh" p="md" component="main">
      <Card w="100%" maw={480} withBorder padding="xl">
        <Stack>
          <Title order={1} size="h3">
            {link.data?.title ?? T.linkTitle}
          </Title>
          {link.isError ? <ProblemNotice error={link.error} /> : <Text c="dimmed">{T.guest}</Text>}
          {projectId !== undefined && (
            <Button onClick={() => void saveProject(projectId, title)}>{T.saveProject}</Button>
          )}
        </Stack>
      </Card>
    </Center>
  );
}
