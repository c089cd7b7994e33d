import { expect, test } from 'vitest';
import {
  type Localize,
  MessageError,
  createMessage,
  english,
  formatMessage,
} from '../../../src/base/localize.ts';

const german: Localize = (text, ...values) =>
  english(
    {
      '"{0}" must be {1}, not {2}.': '"{0}" muss {1} sein, nicht {2}.',
      'a number': 'eine Zahl',
      '{0} or {1}': '{0} oder {1}',
    }[text] ?? text,
    ...values,
  );

const message = createMessage(
  '"{0}" must be {1}, not {2}.',
  'rows',
  createMessage('{0} or {1}', createMessage('a number'), createMessage('null')),
  3,
);

test('a message is formatted in any language, with the messages in it', () => {
  expect(formatMessage(english, message)).toBe('"rows" must be a number or null, not 3.');
  expect(formatMessage(german, message)).toBe('"rows" muss eine Zahl oder null sein, nicht 3.');
});

test('an error with a translatable message has it in English, and can be formatted in another language', () => {
  const error = new MessageError(message);
  expect(error.message).toBe('"rows" must be a number or null, not 3.');
  expect(formatMessage(german, error.userMessage)).toBe('"rows" muss eine Zahl oder null sein, nicht 3.');
});
