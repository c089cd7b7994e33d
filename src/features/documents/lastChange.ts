import * as vscode from 'vscode';
import { getMember, isJsonObject } from '../../base/json.ts';
import type { Log } from '../../base/log.ts';
import type { UserDirectories } from '../../connections/userDirectories.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { Version } from '../../documents/version.ts';

const t = vscode.l10n.t;

/** The JSON members that contain the time of the last change; they differ by kind of document. */
const timeMembers = ['updatedAt', 'lastUpdated', 'lastModified'];

interface LastChangeDeps {
  readonly userDirectories: Pick<UserDirectories, 'get'>;
  readonly log: Log;
}

/** Describes who last changed a version, and when; `undefined` if the server does not report it. */
export async function describeLastChange(
  deps: LastChangeDeps,
  path: string,
  { value }: Version,
): Promise<string | undefined> {
  if (!isJsonObject(value)) {
    return undefined;
  }
  const times = timeMembers.map((name) => getMember(value, name)).filter((time) => typeof time === 'string');
  const time = formatTime(times[0]);
  const userId = getMember(value, 'updatedBy');
  const connectionId = readDocumentPath(path)?.connectionId;
  const name =
    typeof userId === 'string' && connectionId !== undefined
      ? await findUserName(deps, connectionId, userId)
      : undefined;
  if (name === undefined) {
    return time;
  }
  return time === undefined ? t('by {0}', name) : t('by {0}, {1}', name, time);
}

/** Returns the name of a user; `undefined` if it's unknown, or if the users can't be read. */
async function findUserName(
  { userDirectories, log }: LastChangeDeps,
  connectionId: string,
  userId: string,
): Promise<string | undefined> {
  try {
    return (await userDirectories.get(connectionId)).getName('user', userId);
  } catch (error) {
    log.warn('documents', 'The name of a user could not be read', { reason: String(error) });
    return undefined;
  }
}

function formatTime(text: string | undefined): string | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime())
    ? undefined
    : date.toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
}
