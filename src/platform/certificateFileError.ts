import * as vscode from 'vscode';
import { describeFileError, getErrorCode } from '../base/fileErrors.ts';
import { formatMessage } from '../base/localize.ts';

const t = vscode.l10n.t;

/** Creates the error for a file of certificates that can't be read: it names the file, its setting, and the reason. */
export const createCertificateFileError = (path: string, cause: unknown): Error =>
  new Error(
    t(
      "Can't read {0}, the file in the setting datamodelStudio.network.certificateFile. {1}",
      path,
      formatMessage(t, describeFileError(getErrorCode(cause))),
    ),
    { cause },
  );
