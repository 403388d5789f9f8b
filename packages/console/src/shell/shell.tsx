import {
  ActionIcon,
  Anchor,
  AppShell,
  Box,
  Burger,
  Button,
  Group,
  Menu,
  Text,
  Tooltip,
  UnstyledButton,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { whenExpired } from '../api/client.js';
import { connectEvents, useIsLive } from '../api/live.js';
import { queryClient, userQuery } from '../api/queries.js';
import { shareLink } from '../api/share-link.js';
import { tellEnds } from '../notify/watched.js';
import { SWEEP_TEXTS } from '../texts/sweeps.js';
import { VIEW_TEXTS } from '../texts/views.js';
import { TEXTS } from '../texts.js';
import { Logo } from './logo.js';
import classes from './shell.module.css';
import { Shortcuts } from './shortcuts.js';
import { SignIn } from './sign-in.js';
import { signOut } from './sign-out.js';
import { RETURN_PATH } from './sso.js';
import { SsoReturn } from './sso-return.js';

/** Pages without a session, where mailed links lead. */
const LINK_PAGES = new Map([
  ['/console/password', lazy(() => import('./new-password.js').then((module) => ({ default: module.NewPassword })))],
  [
    '/console/shared',
    lazy(() => import('../people/shared-page.js').then((module) => ({ default: module.SharedPage }))),
  ],
  ['/console/email', lazy(() => import('./confirm-email.js').then((module) => ({ default: module.ConfirmEmail })))],
]);

const LINKS = [
  { to: '/', label: TEXTS.nav.jobs },
  { to: '/projects', label: TEXTS.nav.projects },
  { to: '/new', label: TEXTS.nav.submit },
  { to: '/sweeps', label: SWEEP_TEXTS.title },
  { to: '/groups', label: VIEW_TEXTS.groups },
  { to: '/account', label: TEXTS.nav.account },
] as const;

const ROLE_LINKS = {
  operator: [...LINKS, { to: '/admin', label: TEXTS.nav.admin }],
  teacher: [...LINKS, { to: '/classes', label: TEXTS.nav.classes }],
} as const;

function Links({ onFollow }: { readonly onFollow?: () => void }) {
  const role = useQuery(userQuery).data?.role;
  return (role === undefined ? LINKS : ROLE_LINKS[role]).map(({ to, label }) => (
    <Link key={to} to={to} onClick={onFollow} className={classes.link} activeOptions={{ exact: to === '/' }}>
      {label}
    </Link>
  ));
}

function LiveDot() {
  const isLive = useIsLive();
  return (
    <Tooltip label={isLive ? TEXTS.live.on : TEXTS.live.off}>
      <Box
        className={classes.dot}
        tabIndex={0}
        data-live={isLive}
        role="status"
        aria-label={isLive ? TEXTS.live.on : TEXTS.live.off}
      />
    </Tooltip>
  );
}

function UserMenu({ username }: { readonly username: string }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <UnstyledButton className={classes.user}>{username}</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to="/usage">
          {TEXTS.nav.usage}
        </Menu.Item>
        <Menu.Item onClick={() => document.dispatchEvent(new KeyboardEvent('keydown', { key: '?' }))}>
          {TEXTS.shortcuts.menu}
        </Menu.Item>
        <Menu.Item onClick={() => void signOut(false)}>{TEXTS.nav.signOut}</Menu.Item>
        <Menu.Item onClick={() => void signOut(true)}>{TEXTS.nav.everywhere}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function SchemeButton() {
  const { toggleColorScheme } = useMantineColorScheme();
  return (
    <ActionIcon variant="subtle" color="gray" onClick={toggleColorScheme} aria-label={TEXTS.nav.dark}>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
        <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" strokeWidth="1.5" />
        <path d="M9 2a7 7 0 0 1 0 14z" fill="currentColor" />
      </svg>
    </ActionIcon>
  );
}

function Frame({ username }: { readonly username: string }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  useEffect(() => {
    connectEvents();
    return tellEnds();
  }, []);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { desktop: true, mobile: !isOpen } }}
    >
      <Anchor href="#main" className={classes.skip}>
        {TEXTS.nav.skip}
      </Anchor>
      <AppShell.Header className={classes.header}>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="md" wrap="nowrap">
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={TEXTS.nav.open} />
            <Link to="/" className={classes.brand}>
              <Logo />
              <Text span fw={700} size="lg">
                {TEXTS.product}
              </Text>
            </Link>
            <Group component="nav" gap={4} visibleFrom="sm" aria-label={TEXTS.nav.pages}>
              <Links />
            </Group>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <LiveDot />
            <SchemeButton />
            <UserMenu username={username} />
          </Group>
        </Group>
      </AppShell.Header>
      {isOpen && ( // closed, it would still be there for the keyboard and for screen readers
        <AppShell.Navbar p="md" aria-label={TEXTS.nav.menu} hiddenFrom="sm">
          <Links onFollow={close} />
        </AppShell.Navbar>
      )}
      <AppShell.Main id="main">
        <Outlet />
      </AppShell.Main>
      <Shortcuts />
    </AppShell>
  );
}

/** What a share link may open without an account. */
const GUEST_PATHS = /^\/console\/jobs\/[^/]+(\/results)?$/;

const GuestFrame = lazy(() => import('../people/guest-frame.js').then((module) => ({ default: module.GuestFrame })));

/** Everything inside a session; without one, the way in. */
export function Shell() {
  const Page = LINK_PAGES.get(location.pathname);
  if (Page !== undefined) {
    return (
      <Suspense fallback={<Waiting isAway={false} />}>
        <Page />
      </Suspense>
    );
  }
  return location.pathname === RETURN_PATH ? <SsoReturn /> : <SessionShell />;
}

/** What was shown when a session ended is kept beneath the way in. */
function SessionShell() {
  const [hasExpired, setHasExpired] = useState(false);
  const user = useQuery(userQuery);
  const username = user.data?.username;
  useEffect(() => whenExpired(() => setHasExpired(true)), []);
  useEffect(() => setHasExpired(false), [user.dataUpdatedAt]);
  const isAway = user.isError && user.error instanceof Error && !('answer' in user.error);
  if (user.isPending || isAway) return <Waiting isAway={isAway || user.failureCount > 0} />;
  if (username === undefined && shareLink() !== undefined && GUEST_PATHS.test(location.pathname)) {
    return (
      <Suspense fallback={<Waiting isAway={false} />}>
        <GuestFrame />
      </Suspense>
    );
  }
  if (username === undefined) return <SignIn hasExpired={false} />;
  return (
    <>
      <Box style={hasExpired ? { display: 'none' } : undefined}>
        <Frame username={username} />
      </Box>
      {hasExpired && <SignIn hasExpired />}
    </>
  );
}

function Waiting({ isAway }: { readonly isAway: boolean }) {
  return (
    <Box className={classes.waiting} role="status">
      <Logo size={56} />
      {isAway && (
        <>
          <Text mt="md">{TEXTS.live.off}</Text>
          <Button mt="sm" variant="light" size="xs" onClick={() => void queryClient.refetchQueries()}>
            {TEXTS.problem.retry}
          </Button>
        </>
      )}
    </Box>
  );
}
