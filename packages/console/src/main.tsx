import '@mantine/core/styles.css';
import './global.css';
import { createTheme, MantineProvider, Modal, Tooltip } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.js';
import { router } from './router.js';
import { TEXTS } from './texts.js';

const TEAL = [
  '#e8faf4',
  '#d3f3e7',
  '#a5e6cf',
  '#74d8b5',
  '#4dcd9f',
  '#33c591',
  '#1fae7d',
  '#0b7f5b',
  '#07704f',
  '#05593f',
] as const;

const theme = createTheme({
  colors: { teal: TEAL },
  primaryColor: 'teal',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'md',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  headings: { fontWeight: '650' },
  cursorType: 'pointer',
  components: {
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': TEXTS.confirm.close } } }),
    Tooltip: Tooltip.extend({ defaultProps: { events: { hover: true, focus: true, touch: true } } }),
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider theme={theme} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
