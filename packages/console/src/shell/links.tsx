import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';

type LinkAttributes<Props> = Props & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props>;

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink((props: LinkAttributes<ButtonProps>) => <Button component="a" {...props} />);

/** A link to a page of the console. */
export const TextLink = createLink((props: LinkAttributes<AnchorProps>) => <Anchor component="a" {...props} />);
