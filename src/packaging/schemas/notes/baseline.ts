import type { SchemaNotes } from '../note.ts';

export const baselineNotes: SchemaNotes = {
  '': 'The findings of *Check Security* that are accepted: later checks show only new ones.',
  version: 'The version of the format: 1.',
  accepted: 'The accepted findings. Delete an entry, or one of its places, to show the findings again.',
  'accepted[].instance':
    'The address of the instance, followed by its tenant in parentheses if it has one, or `sandbox` for the sandbox.',
  'accepted[].datamodel':
    "The datamodel or cube set. Live datamodels have the prefix `live:`. Others have the name of their server as a prefix, unless it's the default server.",
  'accepted[].finding': 'The code of the findings, as shown in the Problems view.',
  'accepted[].places': 'The columns, rules, tables, or viewpoints where they were found.',
  'accepted[].reason': 'Why they were accepted.',
  'accepted[].author': 'Who accepted them.',
  'accepted[].date': 'The date, in ISO format.',
};
