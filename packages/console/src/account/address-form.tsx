import { Button, Group, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';

interface AddressFormProps {
  readonly type: 'email' | 'url';
  readonly label: string;
  readonly placeholder?: string;
  /** Of the button. */
  readonly action: string;
  readonly isPending: boolean;
  /** @param clear - empties the line */
  readonly onSubmit: (address: string, clear: () => void) => void;
}

/** One line for an address, and a button. */
export function AddressForm({ type, label, placeholder, action, isPending, onSubmit }: AddressFormProps) {
  const [address, setAddress] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit(address, () => setAddress(''));
  };
  return (
    <form onSubmit={submit}>
      <Group align="end" gap="sm">
        <TextInput
          type={type}
          label={label}
          placeholder={placeholder}
          autoComplete={type}
          required
          style={{ flex: 1, minWidth: 200 }}
          value={address}
          onChange={(e) => setAddress(e.currentTarget.value)}
        />
        <Button type="submit" variant="light" loading={isPending}>
          {action}
        </Button>
      </Group>
    </form>
  );
}
