import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** What is wrong with a name that has to be new among others; letter case does not tell two apart. */
export function freeName(taken: readonly string[]): (value: string) => string | undefined {
  const used = new Set(taken.map((name) => name.toLowerCase()));
  return (value) => {
    const name = value.trim();
    if (name === '') {
      return t('Enter a name.');
    }
    return used.has(name.toLowerCase()) ? t('{0} is in use already.', name) : undefined;
  };
}

/** The name of a copy: the next free one. */
export function copyName(name: string, taken: readonly string[]): string {
  const isFree = freeName(taken);
  for (let count = 1; ; count += 1) {
    const copy = count === 1 ? t('{0} copy', name) : t('{0} copy {1}', name, count);
    if (isFree(copy) === undefined) {
      return copy;
    }
  }
}
