/** Every room may import these: they contain nothing platform-specific, or only the platform's own definitions. */
export const groundRooms = ['base', 'base/secrets', 'contract'];

/**
 * The rooms, bottom up, and the other rooms that each may import from. A room is a folder; a nested folder is a
 * separate room if it may import less, or be imported by more. A folder that isn't listed here fails the test.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  // Detection and masking of secrets.
  'base/secrets': ['base'],
  // Files that only their owner can read.
  'base/storage': [],
  contract: ['base', 'base/secrets'],
  client: groundRooms,
  'client/words': ['base', 'contract', 'client'],
  catalog: groundRooms,
  builds: [...groundRooms, 'base/storage'],
  // JSON with comments: reading it, and editing it as a person would.
  'json/text': ['base'],
  sql: ['base', 'json/text'],
  security: [...groundRooms, 'json/text', 'sql'],
  viewpoints: [...groundRooms, 'json/text', 'sql'],
  // Language features in documents.
  'json/language': [...groundRooms, 'json/text', 'sql', 'viewpoints', 'security'],
  connections: [...groundRooms, 'base/storage', 'client', 'catalog', 'builds', 'security'],
  // Everything that changes something on an instance. The parts of an operation come first, then the one order for
  // rules, then each kind of resource, and on top of these what an operation will do, what is kept of it, and how it is
  // sent.
  'changes/model': [...groundRooms, 'catalog', 'client', 'security', 'sql'],
  'changes/rules': [...groundRooms, 'catalog', 'security', 'changes/model'],
  'changes/endpoints': [...groundRooms, 'catalog', 'client', 'changes/model', 'changes/rules'],
  'changes/plan': [
    ...groundRooms,
    'catalog',
    'client',
    'sql',
    'changes/model',
    'changes/rules',
    'changes/endpoints',
  ],
  'changes/journal': [
    ...groundRooms,
    'base/storage',
    'catalog',
    'security',
    'changes/model',
    'changes/rules',
    'changes/endpoints',
  ],
  'changes/run': [
    ...groundRooms,
    'catalog',
    'client',
    'security',
    'changes/model',
    'changes/rules',
    'changes/endpoints',
    'changes/plan',
    'changes/journal',
  ],
  // User actions on resources, as operations.
  'changes/operations': [
    ...groundRooms,
    'catalog',
    'security',
    'changes/model',
    'changes/rules',
    'changes/run',
  ],
  // A table of rules: its changes, and how the writer applies them.
  'changes/bulkRules': [
    ...groundRooms,
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
  'changes/words': ['base', 'client', 'security', 'changes/rules', 'changes/run', 'changes/bulkRules'],
  documents: [
    ...groundRooms,
    'catalog',
    'client',
    'json/text',
    'changes/model',
    'changes/rules',
    'changes/journal',
    'changes/run',
  ],
  // The embedded instance. It knows the contract, and nothing about its callers.
  sandbox: [...groundRooms, 'base/storage', 'sql'],
  // Starts it in its own process.
  'sandbox/host': ['base'],
  // The diagram of a datamodel.
  'webviews/diagramLayout': ['base', 'contract'],
  // Messages between host and pages; imported on both sides.
  'webviews/protocol': [...groundRooms, 'json/text', 'webviews/diagramLayout'],
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
  'contributions.ts': [...groundRooms, 'catalog'],
  platform: [
    ...groundRooms,
    'builds',
    'catalog',
    'changes/words',
    'client',
    'client/words',
    'connections',
    'contributions.ts',
    'sandbox/host',
    'webviews/protocol',
  ],
  features: [
    ...groundRooms,
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
    'changes/words',
    'client',
    'connections',
    'contributions.ts',
    'documents',
    'json/language',
    'json/text',
    'platform',
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
  'extension.ts': ['base', 'connections', 'features', 'platform', 'services.ts'],
  // The command line: the core without an editor.
  cli: [
    ...groundRooms,
    'base/storage',
    'catalog',
    'changes/bulkRules',
    'changes/journal',
    'changes/model',
    'changes/rules',
    'changes/run',
    'changes/words',
    'client',
    'client/words',
    'connections',
    'security',
    'webviews/protocol',
  ],
  launcher: ['base', 'base/storage', 'sandbox/host'],
  packaging: ['base', 'contract'],
};

/** Returns the innermost room that contains a file. */
export const findRoom = (path: string): string =>
  Object.keys(rooms)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .reduce((longest, room) => (room.length > longest.length ? room : longest), '');
