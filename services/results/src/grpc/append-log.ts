import { gunzipMember, type results } from '@tally/contracts';
import { fail } from '../domain/errors.js';
import { type AppendLogPorts, appendLog } from '../domain/log/append-log.js';
import type { LogPiece } from '../domain/log/logfile.js';
import { parseJobId } from './mappers.js';

/** AppendLog. */
export function appendLogRpc(ports: AppendLogPorts) {
  return async (request: results.AppendLogRequest): Promise<results.AppendLogResponse> => {
    const { taskId, name = '', attemptId, offset, isRestart = false, isNote = false, content, members } = request;
    const key = name === '' ? { taskId } : { name };
    const jobId = parseJobId(request.jobId);
    const text = members === undefined ? { text: content ?? Buffer.from(request.text) } : readMembers(members);
    await appendLog(ports, { jobId, key, attemptId, offset: Number(offset), ...text, isRestart, isNote });
    return { isContentRead: content !== undefined, isMembersRead: members !== undefined };
  };
}

/** What results_service.proto says of members: how many, and text of each, bytes. */
const MEMBERS_MAX = 16;
const MEMBER_TEXT_BYTES_MAX = 256 * 1024;
/** A gzip member ends with the size of its text, 32 bits (RFC 1952, section 2.3.1). */
const SIZE_BYTES = 4;

/** All of them are read, so that none that is damaged is stored. @throws ServiceError LOG_INVALID */
function readMembers({ gzip }: results.LogMembers): Pick<LogPiece, 'text' | 'members'> {
  try {
    const members = gzip.map((member) => ({
      textBytes: member.readUInt32LE(member.length - SIZE_BYTES),
      gzip: member,
    }));
    const textBytes = members.reduce((sum, member) => sum + member.textBytes, 0);
    const fit = members.every((member) => member.textBytes > 0 && member.textBytes <= MEMBER_TEXT_BYTES_MAX);
    if (members.length <= MEMBERS_MAX && fit) {
      const text = gunzipMember(Buffer.concat(gzip), textBytes);
      if (text.byteLength === textBytes) return { text, members };
    }
  } catch (cause) {
    throw fail('LOG_INVALID', { cause });
  }
  throw fail('LOG_INVALID');
}
