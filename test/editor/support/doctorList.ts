import type { Studio } from './studio.ts';

/** Waits until the row with the text is the active one, which Enter would choose. */
export async function waitUntilActive(studio: Studio, text: RegExp): Promise<void> {
  const row = studio.page.locator('.quick-input-widget:visible .monaco-list-row.focused', { hasText: text });
  await row.waitFor({ timeout: 20_000 });
}
