import { fail } from '../errors.js';
import { type AppendLogPorts, changeLog, checkPiece, continuationOf } from '../log/append-log.js';
import type { LogPiece } from '../log/logfile.js';
import { describePage, type EstimatorPageHeader } from '../page/page.js';
import { pageRules } from '../page/page-rules.js';
import { layOut, type OutputLayout } from '../page/page-set.js';
import type { ContentMaker } from '../ports.js';
import { requireFew, requireShort, withoutPages } from '../upload.js';
import {
  momentBytes,
  type OutputArrays,
  storeOutput,
  type TaskOutputPorts,
  wrongRemainders,
} from './put-task-output.js';
import { checkTaskOutputHeader, type TaskOutputHeader } from './task-output.js';

/** Arrays of a small output at most, bytes; they are taken in whole. */
const CONTENT_BYTES_MAX = 1024 * 1024;

/** A task's output in one piece, and what is left of its log. */
export interface SmallTaskOutput {
  readonly header: TaskOutputHeader;
  readonly pages: readonly EstimatorPageHeader[];
  /** The arrays of all pages in turn. */
  readonly content: Uint8Array;
  /** What float64 leaves of each number of the content. */
  readonly remainders: Uint8Array | undefined;
  readonly log: LogPiece | undefined;
}

/**
 * Stores a small output with the last of the task's log, several tasks' in one commit, when their pages are those that the
 * job is known to have and the log goes on where it ended; else as {@link storeOutput} and {@link changeLog} do.
 * @throws ServiceError UPLOAD_INVALID, PAGE_SHAPE, PAGE_MISMATCH, UPLOAD_TOO_LARGE, LOG_INVALID, JOB_NOT_FOUND
 */
export async function putSmallTaskOutput(
  ports: TaskOutputPorts & AppendLogPorts,
  upload: SmallTaskOutput,
): Promise<void> {
  const { header, pages, content, remainders, log } = upload;
  checkTaskOutputHeader(header, ports.limits);
  checkContent(upload, ports);
  if (log !== undefined) checkPiece(log);
  const whole = remainders === undefined ? content : Buffer.concat([content, remainders]);
  const output = { header, ...layOut(pages, remainders !== undefined), content: whole };
  const continuation = log && continuationOf(log);
  const saved = await ports.reports.save({ output, ...(continuation && { log: continuation }) });
  // a text that was appended without its output is not appended again, here or by the rule
  const { isLogAppended } = saved.isOutputStored
    ? saved
    : await storeOutput(ports, header, wholeOf(output, pages), continuation);
  if (log !== undefined && !isLogAppended) await changeLog(ports, log);
}

function checkContent(
  { pages, content, remainders = content }: SmallTaskOutput,
  { limits }: Pick<TaskOutputPorts, 'limits'>,
): void {
  const rules = pageRules(limits, momentBytes);
  if (pages.length === 0) throw withoutPages();
  requireFew(pages.length, rules);
  requireShort(content.byteLength, { bytesMax: Math.min(rules.bytesMax, CONTENT_BYTES_MAX) });
  const bytes = pages.reduce((sum, page) => sum + (rules.check(page) ?? 0), 0);
  if (remainders.byteLength !== content.byteLength) throw wrongRemainders(content.byteLength);
  if (bytes === content.byteLength) return;
  const [first] = pages;
  const what = first === undefined || pages.length > 1 ? 'The pages' : describePage(first);
  throw fail('PAGE_SHAPE', { message: `${what} together take exactly ${bytes} bytes` });
}

async function* wholeOf(
  { content, hasRemainders = false }: OutputLayout & Pick<SmallTaskOutput, 'content'>,
  pages: readonly EstimatorPageHeader[],
): ContentMaker<OutputArrays> {
  yield { at: 0, bytes: content };
  return { headers: [...pages], hasRemainders };
}
