import type { JsonPath } from '../../base/json.ts';
import * as vscode from 'vscode';
import type { PayloadProblem } from '../../client/errors.ts';

import type { DocumentRefusedError, RefusalCode } from '../../documents/refusals.ts';

const t = vscode.l10n.t;

/**
 * Describes why a save was refused, and what the user can do. Problems of the JSON take precedence over other reasons.
 */
export function describeRefusal({ code, paths, problems, payloadProblem }: DocumentRefusedError): string {
  const [problem] = problems;
  if (problem !== undefined) {
    return problem.code === 'duplicate-key'
      ? t('Duplicate key "{0}": one of its values would be lost. Nothing was sent.', problem.detail)
      : t('Invalid JSON. Nothing was sent. The problems are marked in the editor.');
  }
  const formattedPaths = paths.map(formatJsonPath).join(', ');
  return payloadProblem === undefined
    ? refusalMessages[code](formattedPaths)
    : t('{0} Nothing was sent.', payloadMessages[payloadProblem](formattedPaths));
}

/** The messages for payloads that the guide of the API does not allow. */
const payloadMessages: Readonly<Record<PayloadProblem, (path: string) => string>> = {
  'missing-property': (path) => t('{0} is required.', path || t('A value')),
  'wrong-type': (path) => t("{0} has a type that the platform doesn't accept.", path || t('The document')),
  'no-table-property': () => t('The document contains no table properties.'),
  'too-few-columns': () => t('A relation must have at least two columns.'),
  'id-mismatch': () => t('The "_id" belongs to another rule. Restore the previous value and save again.'),
  'fullname-mismatch': () =>
    t('The "fullname" belongs to another datamodel. Restore the previous value and save again.'),
  'encrypted-parameters': () => t("The parameters are encrypted and aren't sent back without confirmation."),
  'visibility-needs-app': () => t('Sharing requires at least one app.'),
  'visibility-needs-party': () => t('Sharing requires at least one user or group.'),
  'incomplete-details': (path) =>
    t('{0} is missing. "details" is replaced as a whole, so it must be complete.', path),
  'empty-list': () => t('The document contains no rules.'),
  'not-json': () => t("The document isn't JSON."),
};

/** Formats a JSON path, such as `columns[2].name`. */
export const formatJsonPath = (path: JsonPath): string =>
  path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : `${text}${text === '' ? '' : '.'}${step}`,
    '',
  );

const refusalMessages: Readonly<Record<RefusalCode, (paths: string) => string>> = {
  'not-explicit': () => t("Auto Save doesn't apply to server documents. Save to send your changes."),
  'maybe-not-explicit': () =>
    t(
      "Auto Save is on, so it's unclear whether you saved this document yourself. Your changes remain unsaved.",
    ),
  'not-json': () => t('Invalid JSON. Nothing was sent.'),
  'not-utf-8': () =>
    t(
      'The document is open in an encoding other than UTF-8, so characters would be lost. Set files.encoding to utf8 and reopen the document.',
    ),
  'undecodable-text': () =>
    t(
      'The file was opened in the wrong encoding, so characters are lost. Reopen it with the correct encoding (in the status bar) and try again.',
    ),
  'wrong-shape': (paths) =>
    paths === ''
      ? t("The document doesn't have the expected structure. Nothing was sent.")
      : t("{0} doesn't have the expected structure. Nothing was sent.", paths),
  'not-editable': (paths) =>
    t("The platform doesn't allow changes to {0}. Restore the previous value and save again.", paths),
  'not-removable': (paths) =>
    t(
      "The platform doesn't allow {0} to be removed. Add it again, with a different value if necessary.",
      paths,
    ),
  'unknown-item': (paths) =>
    t("{0} refers to an item that doesn't exist on the server. Remove it to create a new item.", paths),
  'empty-expression': () => t("An expression can't be empty. Nothing was sent."),
  'not-allowed': (paths) =>
    t("The platform doesn't accept {0}. Remove or correct it, and save again.", paths),
  'read-only': () => t("The platform doesn't allow changes to this resource."),
  'not-opened': () => t("Server resources can't be created by saving a file. Use the Connections view."),
  gone: () =>
    t(
      'The resource no longer exists on the server. If it was deleted on this machine, you can restore it in the History view.',
    ),
  'default-rule-undecided': () => t('The column has no rule for everyone else. Add one.'),
  'secrets-needed': (paths) => t("Saving requires secrets that the document doesn't show: {0}.", paths),
};
