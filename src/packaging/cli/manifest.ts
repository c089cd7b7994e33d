/** The oldest release of Node that the command line runs on: undici and the system's certificates require it. */
export const nodeEngine = '22.19';

/** The manifest of the npm package, derived from that of the project. */
export const createCliManifest = ({
  version,
  license,
}: {
  readonly version: string;
  readonly license: string;
}) => ({
  name: 'datamodel-studio-cli',
  version,
  description: 'Command line of Datamodel Studio: test connections, export and import data security rules.',
  license,
  type: 'module',
  bin: { 'datamodel-studio': 'cli.js' },
  files: ['cli.js', 'ThirdPartyNotices.txt'],
  engines: { node: `>=${nodeEngine}` },
});
