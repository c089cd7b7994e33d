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

/** The README's section on the command line, as a separate README. */
export function extractCliReadme(readme: string): string {
  const section = /^## Command line\n[\s\S]*?(?=^## )/m.exec(readme)?.[0];
  if (section === undefined) {
    throw new Error('The README has no section "Command line"');
  }
  return `# Datamodel Studio: command line\n${section.slice(section.indexOf('\n'))}`.trimEnd().concat('\n');
}
