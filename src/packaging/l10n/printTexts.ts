import { join } from 'node:path';
import { formatTextList, listTexts } from './textList.ts';

// This script prints every English text that people read, by file, so that all of them can be proofread.
process.stdout.write(formatTextList(listTexts(join(import.meta.dirname, '../../..'))));
