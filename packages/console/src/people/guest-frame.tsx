import { Anchor, AppShell, Group, Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Logo } from '../shell/logo.js';
import classes from '../shell/shell.module.css';
import { PEOPLE_TEXTS } from '../texts/people.js';

/** Around what a share link opens, for who is not signed in. */
export function GuestFrame() {
  return (
    <AppShell header={{ height: 56 }}>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap">
            <Logo />
            <Text size="sm">{PEOPLE_TEXTS.guest}</Text>
          </Group>
          <Anchor href="/console/" size="sm">
            {PEOPLE_TEXTS.signIn}
          </Anchor>
        </Group>
      </AppShell.Header>
      <AppShell.Main id="main">
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}
