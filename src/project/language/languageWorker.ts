import { parentPort, workerData } from 'node:worker_threads';
import { serveCalls } from '../../base/threadCalls.ts';
import { LanguageEngine } from './languageEngine.ts';
import type { LanguageCalls, LanguageTarget } from './languageCalls.ts';

/** The worker thread that knows the names in the files of a project. Started by `platform/projects/fileCatalog.ts`. */
if (parentPort !== null) {
  serveCalls<LanguageCalls>(parentPort, new LanguageEngine(workerData as LanguageTarget));
}
