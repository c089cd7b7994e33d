/** The oldest release of Node that the command line runs on: what undici and the system's certificates need. */
export const nodeEngine = '22.19';

/** The manifest of the npm package, from that of the project. */
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

/** The section of the README that is about the command line, as a README of its own. */
export function extractCliReadme(readme: string): string {
  const section = /^## Command line\n[\s\S]*?(?=^## )/m.exec(readme)?.[0];
  if (section === undefined) {
    throw new Error('The README has no section "Command line"');
  }
  return `# Datamodel Studio: command line\n${section.slice(section.indexOf('\n'))}`.trimEnd().concat('\n');
}
