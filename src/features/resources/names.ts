import * as vscode from 'vscode';

const t = vscode.l10n.t;

/** Creates a validator for a name that must be unique among others, ignoring case. */
export function createNameValidator(existingNames: readonly string[]): (value: string) => string | undefined {
  const usedNames = new Set(existingNames.map((name) => name.toLowerCase()));
  return (value) => {
    const name = value.trim();
    if (name === '') {
      return t('Enter a name.');
    }
    return usedNames.has(name.toLowerCase()) ? t('{0} is already in use.', name) : undefined;
  };
}

/** Returns the first unused name for a copy. */
export function getCopyName(name: string, existingNames: readonly string[]): string {
  const validateName = createNameValidator(existingNames);
  for (let copyNumber = 1; ; copyNumber += 1) {
    const copyName = copyNumber === 1 ? t('{0} copy', name) : t('{0} copy {1}', name, copyNumber);
    if (validateName(copyName) === undefined) {
      return copyName;
    }
  }
}
