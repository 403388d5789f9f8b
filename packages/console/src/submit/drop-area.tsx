import { Button, Stack, Text } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import { TEXTS } from '../texts.js';
import classes from './submit.module.css';

async function textsOf(files: readonly File[]): Promise<Record<string, string>> {
  const entries = await Promise.all(files.map(async (file) => [file.name, await file.text()] as const));
  return Object.fromEntries(entries);
}

/** What is dropped: files, and those in folders (not in folders of these), as the command tally takes them. */
async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()); // at once: it is empty when the event is over
  if (!entries.some((entry) => entry?.isDirectory === true)) return [...files];
  const inFolders = await Promise.all(
    entries.map(async (entry) => (isFolder(entry) ? await entriesOf(entry) : entry === null ? [] : [entry])),
  );
  return Promise.all(inFolders.flat().filter(isFile).map(fileOf));
}

const isFolder = (entry: FileSystemEntry | null): entry is FileSystemDirectoryEntry => entry?.isDirectory === true;
const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile;
const fileOf = (entry: FileSystemFileEntry) => new Promise<File>((resolve, reject) => entry.file(resolve, reject));

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

interface DropAreaProps {
  /** What may be dropped here, and the button to choose it; absent: a project or a deck. */
  readonly words?: string;
  readonly button?: string;
  readonly onFiles: (files: Record<string, string>) => void;
  /** A file could not be read, for example because it has changed meanwhile. */
  readonly onFault: (name: string, why: string) => void;
}

/** Takes files that are dropped or chosen, by their names and texts. */
export function DropArea({ onFiles, onFault, words = TEXTS.submit.drop, button = TEXTS.submit.browse }: DropAreaProps) {
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const take = async (finding: Promise<readonly File[]>, name: string) => {
    try {
      const files = await finding;
      if (files.length > 0) onFiles(await textsOf(files));
    } catch (err) {
      onFault(name, err instanceof Error ? err.message : String(err));
    }
  };
  const takeChosen = async (chosen: HTMLInputElement) => {
    await take(Promise.resolve([...(chosen.files ?? [])]), chosen.files?.[0]?.name ?? '');
    chosen.value = ''; // the same file may be chosen again
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void take(droppedFiles(event.dataTransfer), event.dataTransfer.files[0]?.name ?? '');
  };
  return (
    <div
      data-drop
      className={classes.drop}
      data-over={isOver}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="sm">
        <svg
          width="44"
          height="44"
          viewBox="0 0 24 24"
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          aria-hidden="true"
        >
          <path d="M12 16V4m0 0L7 9m5-5 5 5M4 17v3h16v-3" />
        </svg>
        <Text ta="center">{words}</Text>
        <Button variant="light" onClick={() => input.current?.click()}>
          {button}
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          data-testid="files"
          onChange={(e) => void takeChosen(e.currentTarget)}
        />
      </Stack>
    </div>
  );
}
