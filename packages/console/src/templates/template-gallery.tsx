import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { templatesQuery } from '../api/queries.js';
import { ProblemNotice } from '../shell/problem-notice.js';
import { TEXTS } from '../texts.js';
import { Gallery } from './gallery.js';

const T = TEXTS.templates;

/** Projects to begin with: a picture, a title and what each of them teaches. @param to - the page that one is opened in */
export function TemplateGallery({ to }: { readonly to: '/new' | '/sweeps/new' }) {
  const { data, isError, error } = useQuery(templatesQuery);
  if (isError) return <ProblemNotice error={error} />;
  if (data === undefined) return <Skeleton h={320} />;
  const beginnings = data.templates.map(({ name, title, teaches, picture }) => ({
    id: name,
    title,
    words: teaches,
    picture: picture ?? undefined,
    search: { template: name },
  }));
  return <Gallery label={T.gallery} beginnings={beginnings} to={to} height={170} />;
}
