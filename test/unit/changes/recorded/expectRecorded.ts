import { join } from 'node:path';
import { expect } from 'vitest';
import { recordScenario, type Scenario } from './recordScenario.ts';

/**
 * Carries out scenarios, and compares what happens with what is recorded in a file. `vitest -u` records what is
 * different, to be reviewed.
 */
export async function expectRecorded(fileName: string, scenarios: readonly Scenario[]): Promise<void> {
  const texts: string[] = [];
  for (const scenario of scenarios) {
    texts.push(`# ${scenario.name}\n${await recordScenario(scenario)}`);
  }
  await expect(`${texts.join('\n\n')}\n`).toMatchFileSnapshot(join(import.meta.dirname, fileName));
}
