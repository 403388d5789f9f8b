import { Button, type ButtonProps, Group, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TEXTS } from '../texts.js';

interface ConfirmProps extends ButtonProps {
  readonly label: string;
  /** What is lost, and what is not. */
  readonly question: string;
  /** Of the button that does it. */
  readonly answer: string;
  readonly onConfirm: () => void;
}

/** A button that asks once before something is lost, and says what. */
export function ConfirmButton({ label, question, answer, onConfirm, ...button }: ConfirmProps) {
  const [isOpen, { open, close }] = useDisclosure();
  return (
    <>
      <Button {...button} onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={answer} centered>
        <Text size="sm">{question}</Text>
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close} data-autofocus>
            {TEXTS.confirm.keep}
          </Button>
          <Button
            color="red"
            onClick={() => {
              close();
              onConfirm();
            }}
          >
            {answer}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
