import { Kbd, Modal, Table } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { TEXTS } from '../texts.js';

const T = TEXTS.shortcuts;
/** How long the second key of two may take. */
const SEQUENCE_MS = 1_200;
const PAGES = { j: '/', p: '/projects', n: '/new', s: '/sweeps', a: '/account' } as const;

/** Whether somebody types a text: keys are letters then. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role=dialog], [role=application]') !== null)
  );
}

const isPage = (key: string): key is keyof typeof PAGES => Object.hasOwn(PAGES, key);

/** Keys for pages, for the search of the page, and for the list of keys. */
export function Shortcuts() {
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const prefixAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const isSecond = event.timeStamp - prefixAt.current < SEQUENCE_MS;
      prefixAt.current = Number.NEGATIVE_INFINITY;
      if (isSecond && isPage(event.key)) {
        event.preventDefault();
        return void navigate({ to: PAGES[event.key] });
      }
      if (event.key === 'g') prefixAt.current = event.timeStamp;
      if (event.key === '?') setIsOpen(true);
      if (event.key !== '/') return;
      const search = document.querySelector<HTMLInputElement>('[data-search]');
      if (search === null) return;
      event.preventDefault();
      search.focus();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [navigate]);
  return (
    <Modal opened={isOpen} onClose={() => setIsOpen(false)} title={T.title}>
      <Table verticalSpacing="xs" withRowBorders={false}>
        <Table.Tbody>
          {T.keys.map(([keys, meaning]) => (
            <Table.Tr key={keys}>
              <Table.Td w={120}>
                {keys.split(' ').map((key) => (
                  <Kbd key={key} mr={4}>
                    {key}
                  </Kbd>
                ))}
              </Table.Td>
              <Table.Td>{meaning}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
