/** What every room may use: nothing of the platform's, and what the platform itself says. */
export const groundRooms = ['base', 'base/secrets', 'contract'];

/**
 * The rooms, from the ground up, and which others each may import from. A room is a folder; one inside another is a room
 * of its own where it may import less, or be imported by more. What is not named here fails the test.
 */
export const rooms: Readonly<Record<string, readonly string[]>> = {
  base: [],
  // What a secret is, and how it is masked.
  'base/secrets': ['base'],
  // Files that their owner alone may read.
  'base/storage': [],
  contract: ['base', 'base/secrets'],
  client: groundRooms,
  'client/words': ['base', 'contract', 'client'],
  catalog: groundRooms,
  builds: [...groundRooms, 'base/storage'],
  // JSON with comments: reading it, and changing it as a person would.
  'json/text': ['base'],
  sql: ['base', 'json/text'],
  security: [...groundRooms, 'json/text', 'sql'],
  viewpoints: [...groundRooms, 'json/text', 'sql'],
  // Help in documents.
  'json/language': [...groundRooms, 'json/text', 'sql', 'viewpoints', 'security'],
  connections: [...groundRooms, 'base/storage', 'client', 'catalog', 'builds', 'security'],
  // Everything that changes something on an instance. What an operation consists of comes first, then the one order for
  // rules, then each kind of resource, and on these what an operation will do, what is kept of it, and how it is sent.
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
  // What a person can do to a resource, as an operation.
  'changes/operations': [
    ...groundRooms,
    'catalog',
    'security',
    'changes/model',
    'changes/rules',
    'changes/run',
  ],
  // A table of rules: what it would change, and its way through the writer.
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
  // The embedded instance. It knows the contract, and nothing of who asks.
  sandbox: [...groundRooms, 'base/storage', 'sql'],
  // Starting it, as a process of its own.
  'sandbox/host': ['base'],
  // A datamodel as a picture.
  'webviews/diagramLayout': ['base', 'contract'],
  // What host and pages say to each other; read on both sides.
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
  // Types only: what commands are handed.
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
  // What features share is made for them, not of them.
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
  // The command line: the core, and no editor.
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

/** The innermost room that a file is in. */
export const findRoom = (path: string): string =>
  Object.keys(rooms)
    .filter((room) => path === room || path.startsWith(`${room}/`))
    .reduce((longest, room) => (room.length > longest.length ? room : longest), '');
