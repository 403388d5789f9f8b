import { useNavigate } from '@tanstack/react-router';
import { EDITOR_TEXTS } from '../../texts/editor.js';
import { useEditor } from '../editor-context.js';
import { withValueAt } from '../model/pointer.js';
import { type Keeper, titleOf } from './keeper.js';
import { projectService } from './service.js';

/** Keeps what is on the page as another project of the user, and opens it. */
export function useCopy(keeper: Keeper): () => Promise<void> {
  const { store } = useEditor();
  const navigate = useNavigate();
  return async () => {
    await keeper.flush().catch(() => undefined); // what is copied is what is on the page
    const { project } = store.getState();
    const title = EDITOR_TEXTS.list.copyOf(titleOf(project));
    const copied = withValueAt(project, '/project/title', title);
    const { projectId } = await projectService.create({ title, project: copied, thumbnail: undefined });
    await navigate({ to: '/projects/$projectId', params: { projectId } });
  };
}
