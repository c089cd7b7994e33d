import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createShippedReadme } from '../../../../src/packaging/readme/readme.ts';

const root = join(import.meta.dirname, '../../../..');

test('images are embedded, and the section for developers is left out', () => {
  const text =
    '# Name\n\n![A picture](media/a.png)\n![Far](https://example.com/a.png)\n\n## Developing\n\nTools\n\n### Layout\n\n![No](b.png)\n\n## License\n\nMIT\n';
  const read = (path: string): Buffer => Buffer.from(path);
  expect(createShippedReadme(text, read)).toBe(
    '# Name\n\n![A picture](data:image/png;base64,bWVkaWEvYS5wbmc=)\n![Far](https://example.com/a.png)\n\n## License\n\nMIT\n',
  );
});

test('the reference replaces the list of pages, links lead to its sections, and paragraphs that only link to a page are left out', () => {
  const text =
    '# Name\n\n## Security\n\n- Safe ([cells](docs/reference.md#cells))\n\nSee [Security](docs/security.md) for tests.\n\n## Documentation\n\n- [Reference](docs/reference.md)\n\n## License\n\nMIT\n';
  const reference = '# Reference\n\n## Cells\n\nAs on the [command line](command-line.md).\n';
  expect(createShippedReadme(text, () => Buffer.from(reference))).toBe(
    '# Name\n\n## Security\n\n- Safe ([cells](#cells))\n\n## Reference\n\n### Cells\n\nAs on the command line.\n\n## License\n\nMIT\n',
  );
});

test('the shipped README of the project embeds its images and the reference, and is small enough for a package', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const shipped = createShippedReadme(text, (path) => readFileSync(join(root, path)));
  expect(shipped).toMatch(/data:image\/png/);
  expect(shipped).toContain('### Cells of the rules grid');
  expect(shipped).not.toMatch(/\]\(media\/|npm ci|## Developing/);
  expect(shipped).not.toMatch(/\]\((?!https:|data:|#)/);
  for (const [, section] of shipped.matchAll(/\]\(#([^)]+)\)/g)) {
    expect(shipped.toLowerCase()).toMatch(new RegExp(`^#+ ${section}$`, 'm'));
  }
  expect(shipped.length).toBeLessThan(1_500_000);
});
