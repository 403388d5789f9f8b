import { Anchor, Box } from '@mantine/core';
import { useEffect, useState } from 'react';
import { TEXTS } from '../texts.js';
import { Logo } from './logo.js';
import { ProblemNotice } from './problem-notice.js';
import classes from './shell.module.css';
import { finishSignIn } from './sso.js';

let finishing: Promise<string> | undefined;

/** Where the realm sends the browser back to: makes the session, and goes on where the user was. */
export function SsoReturn() {
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    finishing ??= finishSignIn(location.search, TEXTS.signIn.ssoForeign); // once, however often the page is rendered
    finishing.then((path) => location.replace(path), setError);
  }, []);
  return (
    <Box className={classes.waiting} role="status" p="md" component="main">
      <Logo size={56} />
      {error !== undefined && (
        <Box mt="lg" maw={420}>
          <ProblemNotice error={error} />
          <Anchor mt="md" href="/console/" display="block" ta="center">
            {TEXTS.signIn.again}
          </Anchor>
        </Box>
      )}
    </Box>
  );
}
