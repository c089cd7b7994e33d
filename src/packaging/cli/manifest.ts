/** The oldest version of Node that the command-line tool runs on, because of undici and the system's certificates. */
export const nodeEngine = '22.19';

/**
 * The oldest version of Node that understands the syntax of the code that runs first, so that this code can print which
 * version is required. Some current Linux distributions have this old version.
 */
export const oldestParsingNode = '12.20';

/** Creates the `package.json` of the command-line tool's npm package, with the version and license of the project. */
export const createCliManifest = ({
  version,
  license,
}: {
  readonly version: string;
  readonly license: string;
}) => ({
  name: 'datamodel-studio-cli',
  version,
  description:
    'Command line of Datamodel Studio: test connections, keep an instance as files, export and import data security rules, build datamodels.',
  license,
  type: 'module',
  bin: { 'datamodel-studio': 'cli.js' },
  files: ['cli.js', 'ThirdPartyNotices.txt'],
  engines: { node: `>=${nodeEngine}` },
});
