/** Rooms that nearly all rooms may import: general helpers, and definitions of the platform's API. */
export const commonRooms = ['base', 'base/secrets', 'contract'];

/**
 * The rooms (architectural modules), bottom up, with the other rooms that each may import from. A room is a folder. A
 * nested folder is a separate room if it may import less, or may be imported by more rooms. The architecture test fails
 * for a folder that isn't listed here.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  // Detection and masking of secrets.
  'base/secrets': ['base'],
  // Files that only their owner can read.
  'base/storage': [],
  contract: ['base', 'base/secrets'],
  client: commonRooms,
  'client/messages': ['base', 'contract', 'client'],
  catalog: commonRooms,
  builds: [...commonRooms, 'base/storage'],
  // Parses JSON with comments, and edits its text with minimal changes.
  'json/text': ['base'],
  sql: ['base', 'contract', 'json/text'],
  security: [...commonRooms, 'json/text', 'sql'],
  viewpoints: [...commonRooms, 'json/text', 'sql'],
  // Language features for JSON documents.
  'json/language': [...commonRooms, 'json/text', 'sql', 'viewpoints', 'security'],
  connections: [...commonRooms, 'base/storage', 'client', 'catalog', 'builds', 'security'],
  // Everything that changes data on an instance: the model of operations, the order of rule changes, the endpoints, the
  // plan (what an operation will do), the journal (what is stored of it), and running it.
  'changes/model': [...commonRooms, 'catalog', 'client', 'security', 'sql'],
  'changes/rules': [...commonRooms, 'catalog', 'security', 'changes/model'],
  'changes/endpoints': [...commonRooms, 'catalog', 'client', 'changes/model', 'changes/rules'],
  'changes/plan': [
    ...commonRooms,
    'catalog',
    'client',
    'security',
    'sql',
    'changes/model',
    'changes/rules',
    'changes/endpoints',
  ],
  'changes/journal': [
    ...commonRooms,
    'base/storage',
    'catalog',
    'security',
    'changes/model',
    'changes/rules',
    'changes/endpoints',
  ],
  'changes/run': [
    ...commonRooms,
    'catalog',
    'client',
    'security',
    'changes/model',
    'changes/rules',
    'changes/endpoints',
    'changes/plan',
    'changes/journal',
  ],
  // Creates operations for user actions on resources.
  'changes/operations': [
    ...commonRooms,
    'catalog',
    'security',
    'changes/model',
    'changes/rules',
    'changes/run',
  ],
  // The import of a table of rules: computing the changes and applying them.
  'changes/bulkRules': [
    ...commonRooms,
    'catalog',
    'client',
    'connections',
    'security',
    'sql',
    'changes/model',
    'changes/operations',
    'changes/journal',
    'changes/run',
  ],
  documents: [
    ...commonRooms,
    'catalog',
    'client',
    'json/text',
    'changes/model',
    'changes/rules',
    'changes/journal',
    'changes/run',
  ],
  // An instance as files: the items of a project, their paths, and their canonical text.
  project: ['base', 'security'],
  // The files of a project: their text, and reading them from disk.
  'project/files': ['base', 'json/text', 'security', 'project'],
  // Converts the resources of an instance to items of a project.
  'project/instance': [...commonRooms, 'catalog', 'security', 'changes/model', 'project'],
  // Reads the resources of an instance that a project manages.
  'project/source': [
    ...commonRooms,
    'catalog',
    'changes/model',
    'client',
    'connections',
    'project',
    'project/instance',
  ],
  // What a project manages, and its environments.
  'project/settings': ['base', 'connections', 'project/files', 'project/source'],
  // Brings what changed on an instance into the files.
  'project/pull': [
    'base',
    'client',
    'connections',
    'json/text',
    'project',
    'project/files',
    'project/instance',
    'project/settings',
    'project/source',
  ],
  // The texts of what a pull has done, for the editor and the command line.
  'project/messages': ['base', 'project/instance', 'project/pull', 'project/source'],
  // Compares a project with an instance.
  'project/plan': [
    ...commonRooms,
    'catalog',
    'json/text',
    'project',
    'project/files',
    'project/instance',
    'project/pull',
  ],
  // Brings an instance to the state of a project.
  'project/apply': [
    ...commonRooms,
    'catalog',
    'changes/model',
    'changes/rules',
    'client',
    'connections',
    'json/text',
    'project',
    'project/files',
    'project/instance',
    'project/plan',
    'project/pull',
    'project/source',
    'security',
    'viewpoints',
  ],
  // Checks the files of a project without an instance.
  'project/validate': [
    'base',
    'catalog',
    'json/text',
    'project',
    'project/files',
    'project/pull',
    'project/settings',
    'project/source',
    'security',
    'sql',
    'viewpoints',
  ],
  // The embedded demo instance. It imports the contract, but nothing of its callers.
  sandbox: [...commonRooms, 'base/storage', 'sql'],
  // Starts the sandbox in its own process.
  'sandbox/host': ['base'],
  // The diagram of a datamodel.
  'webviews/diagramLayout': ['base', 'contract'],
  // Messages between the extension host and the webviews; imported by both.
  'webviews/protocol': [...commonRooms, 'json/text', 'webviews/diagramLayout'],
  'changes/messages': [
    ...commonRooms,
    'catalog',
    'client',
    'security',
    'changes/bulkRules',
    'changes/model',
    'changes/rules',
    'changes/run',
    'webviews/protocol',
  ],
  webviews: [
    'base',
    'contract',
    'catalog',
    'security',
    'viewpoints',
    'webviews/protocol',
    'webviews/diagramLayout',
  ],
  // Types only: the arguments of commands.
  'contributions.ts': [...commonRooms, 'catalog'],
  platform: [
    ...commonRooms,
    'builds',
    'catalog',
    'changes/messages',
    'client',
    'client/messages',
    'connections',
    'contributions.ts',
    'sandbox/host',
    'webviews/protocol',
  ],
  features: [
    ...commonRooms,
    'base/storage',
    'builds',
    'catalog',
    'changes/bulkRules',
    'changes/journal',
    'changes/model',
    'changes/operations',
    'changes/plan',
    'changes/rules',
    'changes/run',
    'changes/messages',
    'client',
    'connections',
    'contributions.ts',
    'documents',
    'json/language',
    'json/text',
    'platform',
    'project',
    'project/pull',
    'project/settings',
    'project/source',
    'project/messages',
    'sandbox/host',
    'security',
    'sql',
    'viewpoints',
    'webviews/diagramLayout',
    'webviews/protocol',
  ],
  // Features import shared services; services do not import features.
  'services.ts': [
    'base',
    'builds',
    'catalog',
    'changes/journal',
    'changes/run',
    'client',
    'connections',
    'documents',
    'json/text',
    'platform',
    'sandbox/host',
  ],
  // Loads what features will need.
  'preload.ts': ['base', 'catalog', 'client', 'connections', 'features'],
  'extension.ts': ['base', 'connections', 'features', 'platform', 'preload.ts', 'services.ts'],
  // The command-line tool, which works without an editor.
  cli: [
    ...commonRooms,
    'base/storage',
    'builds',
    'catalog',
    'changes/bulkRules',
    'changes/journal',
    'changes/model',
    'changes/rules',
    'changes/run',
    'changes/messages',
    'client',
    'client/messages',
    'connections',
    'project',
    'project/apply',
    'project/files',
    'project/plan',
    'project/pull',
    'project/settings',
    'project/source',
    'project/validate',
    'project/messages',
    'security',
    'webviews/protocol',
  ],
  launcher: ['base', 'base/storage', 'sandbox/host'],
  packaging: ['base', 'contract', 'json/language', 'project/settings', 'security'],
};

/** Returns the innermost room that contains a file. */
export const findRoom = (path: string): string =>
  Object.keys(rooms)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .reduce((longest, room) => (room.length > longest.length ? room : longest), '');
