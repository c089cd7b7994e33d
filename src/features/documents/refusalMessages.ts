import type { JsonPath } from '../../base/json.ts';
import * as vscode from 'vscode';
import type { PayloadProblem } from '../../client/errors.ts';

import type { DocumentRefusedError, RefusalCode } from '../../documents/refusals.ts';

const t = vscode.l10n.t;

/** Describes why a save was refused, and what the user can do. */
export function describeRefusal({ code, paths, problems, payloadProblem }: DocumentRefusedError): string {
  const [problem] = problems;
  if (problem !== undefined) {
    return problem.code === 'duplicate-key'
      ? t(
          'The key "{0}" is there twice, so one of its values would be lost. Nothing was sent.',
          problem.detail,
        )
      : t('This is not valid JSON, so nothing was sent. The problems are marked in the text.');
  }
  const formattedPaths = paths.map(formatJsonPath).join(', ');
  return payloadProblem === undefined
    ? refusalMessages[code](formattedPaths)
    : t('{0} Nothing was sent.', payloadMessages[payloadProblem](formattedPaths));
}

/** The messages for payloads that the guide of the API does not allow. */
const payloadMessages: Readonly<Record<PayloadProblem, (path: string) => string>> = {
  'missing-property': (path) => t('{0} is required.', path || t('A value')),
  'wrong-type': (path) => t('{0} is not of the type that the platform takes.', path || t('The document')),
  'no-table-property': () => t('There is nothing in it that a table has.'),
  'too-few-columns': () => t('A relation needs at least two columns.'),
  'id-mismatch': () => t('The _id is that of another rule.'),
  'fullname-mismatch': () => t('The fullname is that of another datamodel.'),
  'encrypted-parameters': () => t('The parameters are encrypted and are not sent back unasked.'),
  'visibility-needs-app': () => t('Sharing needs at least one app.'),
  'visibility-needs-party': () => t('Sharing needs at least one user or group.'),
  'incomplete-details': (path) => t('{0} is missing: details are sent whole.', path),
  'empty-list': () => t('There is no rule in it.'),
  'not-json': () => t('It is not JSON.'),
};

/** Formats a JSON path, such as `columns[2].name`. */
export const formatJsonPath = (path: JsonPath): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${step}`,
    '',
  );

const refusalMessages: Readonly<Record<RefusalCode, (paths: string) => string>> = {
  'not-explicit': () => t('Only a save by hand writes to a server. The changes are kept here, unsaved.'),
  'maybe-not-explicit': () =>
    t('Whether a person asked for this save is not known. The changes are kept here, unsaved.'),
  'not-json': () => t('This is not valid JSON, so nothing was sent.'),
  'not-utf-8': () =>
    t(
      'The editor reads and writes it in another encoding than UTF-8, so letters would be lost. Set files.encoding to utf8 and open it again.',
    ),
  'lost-letters': () =>
    t(
      'The file is not in the encoding that the editor reads it in, so letters of it are lost. Reopen it with its encoding (in the status bar) and try again.',
    ),
  'wrong-shape': (paths) =>
    paths === ''
      ? t('The document has not the form that it needs. Nothing was sent.')
      : t('{0} has not the form that it needs. Nothing was sent.', paths),
  'not-editable': (paths) =>
    t('The platform lets nobody change {0}. Take it back to how it was and save again.', paths),
  'not-removable': (paths) =>
    t('The platform has no way to take {0} away. Put it back, with another value if need be.', paths),
  'unknown-item': (paths) =>
    t('{0} names something that the server does not have. Leave it out to make something new.', paths),
  'empty-expression': () => t('An expression cannot be empty. Nothing was sent.'),
  'not-allowed': (paths) => t('The platform does not take {0}.', paths),
  'read-only': () => t('The platform lets nobody change this resource.'),
  'not-opened': () =>
    t('Resources of a server are not made by saving a file. Use the Datamodel Studio explorer.'),
  gone: () => t('The server no longer has it. The view History brings back what was deleted from here.'),
  'secrets-needed': (paths) => t('The save needs secrets that the document does not show: {0}.', paths),
};
