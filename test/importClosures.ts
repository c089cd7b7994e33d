import { findRoom, rooms } from './support/rooms.ts';
import { getImportClosure, productSourceFiles } from './support/sourceFiles.ts';

/**
 * `npm run closures`: prints the number of modules, by room (architecture.md, "The rooms"), that the most common code
 * paths import directly or indirectly, and so load when they run. Dynamic imports are excluded. Also lists imports from
 * a lower room to a higher one.
 */
const codePaths: Readonly<Record<string, readonly string[]>> = {
  'Connections view to HTTP': [
    'features/explorer/treeProvider.ts',
    'client/platformClient.ts',
    'client/undiciTransport.ts',
  ],
  save: ['documents/remoteDocuments.ts', 'changes/run/writer.ts', 'client/platformClient.ts'],
};

const order = Object.keys(rooms);

for (const [name, entryFiles] of Object.entries(codePaths)) {
  const reachedFiles = getImportClosure(entryFiles, ({ staticImports }) => staticImports);
  const byRoom = Map.groupBy(reachedFiles, findRoom);
  const upwardImports = productSourceFiles
    .filter(({ path }) => reachedFiles.has(path))
    .flatMap(({ path, staticImports }) =>
      staticImports
        .filter((target) => order.indexOf(findRoom(target)) > order.indexOf(findRoom(path)))
        .map((target) => `${path} loads ${target}`),
    );
  const counts = order.flatMap((room) => {
    const files = byRoom.get(room) ?? [];
    return files.length === 0 ? [] : [`${room} ${files.length}`];
  });
  process.stdout.write(`Code path "${name}": ${reachedFiles.size} modules (${counts.join(', ')})\n`);
  process.stdout.write(upwardImports.map((line) => `  upwards: ${line}\n`).join(''));
}
