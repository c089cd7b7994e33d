import { journey } from '../support/journey.ts';
import type { ThemeName } from '../support/themes.ts';

const allThemes: readonly ThemeName[] = ['dark', 'hc', 'light'];

journey('the view shows in every theme', async ({ openStudio }) => {
  const studio = await openStudio({ theme: 'light' });
  await studio.openView();
  for (const theme of allThemes) {
    await studio.setTheme(theme);
    await studio.screenshot(`view-${theme}`);
  }
});
