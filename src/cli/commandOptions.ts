import { ignorableCodes } from './ignoredErrors.ts';
import { instanceKindNames } from './prunedKinds.ts';
import type { Option } from './command.ts';

/** For commands that work with an instance alone. */
export const instanceOptions: readonly Option[] = [
  {
    name: 'url',
    valueName: 'URL',
    isRequired: true,
    help: 'Address of the instance. Its role is development.',
  },
  { name: 'token-env', valueName: 'NAME', help: 'Environment variable that contains the API token.' },
  { name: 'token-stdin', help: 'Read the API token from standard input.' },
  { name: 'token-file', valueName: 'FILE', help: 'File that contains the API token.' },
  { name: 'tenant', valueName: 'ID', help: 'Tenant, if the instance has more than one.' },
  { name: 'ca', valueName: 'FILE', help: 'File with additional CA certificates in PEM format.' },
];

/** The folder of the project. */
export const projectFolderOption: Option = {
  name: 'project',
  valueName: 'DIR',
  help: 'Project folder (default: the current folder).',
};

/** For commands that work with a project and an instance. */
export const projectOptions: readonly Option[] = [
  projectFolderOption,
  {
    name: 'environment',
    valueName: 'NAME',
    help: 'Environment of the project: environments/NAME.json has the address and role of its instance.',
  },
  {
    name: 'url',
    valueName: 'URL',
    help: 'Address of the instance, instead of --environment. Its role is development.',
  },
  ...instanceOptions.filter(({ name }) => name !== 'url'),
];

/** The format of the output; some commands have more formats. */
export const formatOption: Option = {
  name: 'format',
  valueName: 'FORMAT',
  choices: ['text', 'json'],
  help: 'text (the default) or json.',
};

/** Where journals are. */
export const stateOption: Option = {
  name: 'state',
  valueName: 'DIR',
  help: 'Journal folder. Default: $XDG_STATE_HOME/datamodel-studio or ~/.local/state/datamodel-studio; on Windows, %LOCALAPPDATA%\\datamodel-studio.',
};

/** For commands that write. */
export const executeOption: Option = {
  name: 'execute',
  help: 'Write to the server. Without this option, nothing is written.',
};

/** For commands that finish, roll back, or abandon an interrupted change. */
export const takeOverOption: Option = {
  name: 'take-over',
  help: "Continue even if it's unknown whether the process that made the change has ended, for example, because it ran in another container or on another computer, or because another program might now have its process ID. First make sure that the process has ended.",
};

/** For commands that write to an environment. */
export const confirmOption: Option = {
  name: 'confirm',
  valueName: 'NAME',
  help: 'Name of the environment, required to write to a production instance.',
};

/** For commands that compare a project with an instance. */
export const comparisonOptions: readonly Option[] = [
  {
    name: 'datamodel',
    valueName: 'TITLE',
    help: 'Compare only the datamodels with this title, and their rules. * matches any characters.',
  },
  {
    name: 'viewpoint',
    valueName: 'NAME',
    help: 'Compare only the viewpoints with this name. * matches any characters.',
  },
];

/** What a plan may delete. */
export const deletionOption: Option = {
  name: 'prune',
  valueName: 'KINDS',
  listChoices: instanceKindNames,
  help: `Delete items on the instance that the project doesn't have. KINDS is one or more of ${instanceKindNames.join(', ')}, separated by commas.`,
};

/** The errors that don't prevent an apply. */
export const ignoredErrorsOption: Option = {
  name: 'ignore-errors',
  valueName: 'CODES',
  listChoices: ignorableCodes,
  help: 'Ignore errors in SQL, rules, and viewpoints by their codes, such as sql/unknown-column. Separate multiple codes with commas. The plan lists the ignored errors.',
};

/** The datamodel of a command. */
export const datamodelOption: Option = {
  name: 'datamodel',
  valueName: 'TITLE',
  isRequired: true,
  help: 'Title of the datamodel.',
};
