import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordScenario, type Scenario } from './recordScenario.ts';

/**
 * Creates a test for each scenario: it is carried out, and what happens is compared with what is recorded in a file.
 * With `UPDATE=1`, the file is written, to be reviewed.
 */
export function testRecorded(fileName: string, scenarios: readonly Scenario[]): void {
  const file = join(import.meta.dirname, fileName);
  const isUpdated = process.env['UPDATE'] === '1';
  const sections = readFileSync(file, 'utf8')
    .split(/^# /m)
    .slice(1)
    .map((section): readonly [name: string, text: string] => {
      const [name = '', ...lines] = section.replace(/\n\n?$/, '').split('\n');
      return [name, lines.join('\n')];
    });
  const recordings = new Map(sections);
  const results = new Map<string, string>();

  for (const scenario of scenarios) {
    test(scenario.name, async () => {
      const result = await recordScenario(scenario);
      results.set(scenario.name, result);
      if (!isUpdated) {
        expect(result).toBe(recordings.get(scenario.name));
      }
    });
  }

  test('each recording belongs to a scenario', () => {
    const names = scenarios.map(({ name }) => name);
    if (!isUpdated) {
      expect(sections.map(([name]) => name)).toEqual(names);
    }
  });

  afterAll(() => {
    if (isUpdated && results.size === scenarios.length) {
      const texts = scenarios.map(({ name }) => `# ${name}\n${results.get(name) ?? ''}`);
      writeFileSync(file, `${texts.join('\n\n')}\n`);
    }
  });
}
