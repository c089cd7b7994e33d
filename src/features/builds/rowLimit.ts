import * as vscode from 'vscode';

/** Describes a row limit of at least 1. */
export const describeRowLimit = (rowLimit: number): string =>
  rowLimit === 1
    ? vscode.l10n.t('first row from each source')
    : vscode.l10n.t('first {0} rows from each source', rowLimit);

/**
 * Creates the quick pick item with which users set a row limit. Every build type of an extract datamodel supports a
 * limit (rest-api.md, "POST /builds body").
 * @param rowLimit the current limit; 0 for none
 */
export const createRowLimitItem = (rowLimit: number): vscode.QuickPickItem => ({
  label: vscode.l10n.t('Row Limit…'),
  description: rowLimit > 0 ? describeRowLimit(rowLimit) : vscode.l10n.t('none'),
});

/**
 * Lets the user pick how to build. Before picking, the user may change the row limit any number of times; canceling
 * that prompt returns to the list. Returns the choice and the limit, 0 for none; `undefined` if the user canceled.
 * @param name the name of what is built
 * @param pick shows the list; resolves to `row-limit` if the user wants to change the limit
 */
export async function pickWithRowLimit<T>(
  name: string,
  pick: (rowLimit: number) => Promise<T | 'row-limit' | undefined>,
): Promise<{ readonly choice: T; readonly rowLimit: number } | undefined> {
  let rowLimit = 0;
  for (;;) {
    const choice = await pick(rowLimit);
    if (choice !== 'row-limit') {
      return choice === undefined ? undefined : { choice, rowLimit };
    }
    rowLimit =
      (await promptForRowLimit({
        title: vscode.l10n.t('{0}: Row Limit', name),
        prompt: vscode.l10n.t('Rows to import from each source (leave empty for all)'),
        value: rowLimit,
        isRequired: false,
      })) ?? rowLimit;
  }
}

/** Asks for a number of rows. Returns 0 for none, unless it is required; `undefined` if the user canceled. */
export async function promptForRowLimit(question: {
  readonly title: string;
  readonly prompt: string;
  readonly value: number;
  readonly isRequired: boolean;
}): Promise<number | undefined> {
  const { title, prompt, value, isRequired } = question;
  const text = await vscode.window.showInputBox({
    title,
    prompt,
    value: value > 0 ? String(value) : '',
    validateInput: (input) =>
      /^[1-9]\d{0,8}$/.test(input.trim()) || (!isRequired && input.trim() === '')
        ? undefined
        : vscode.l10n.t('Enter a whole number of rows, 1 or more.'),
  });
  return text === undefined ? undefined : Number(text);
}
