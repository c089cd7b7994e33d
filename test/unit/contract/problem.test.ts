import { describe, expect, test } from 'vitest';
import { parseProblem, getProblemMessage } from '../../../src/contract/problem.ts';
import { readRecordedText } from '../../support/recorded.ts';

const getMessage = (body: unknown): string | undefined => parseProblem(JSON.stringify(body))?.message;

describe('a connection string echoed by a server', () => {
  const text = 'Cannot open Server=db;Uid=u;Pwd=hunter2;Database=d';
  test.each([
    ['a detail', JSON.stringify({ detail: text })],
    ['an error', JSON.stringify({ error: { message: text } })],
    ['plain text', text],
    ['a page', `<html><p>${text}</p></html>`],
    ['text that is cut off within an address', `${'x'.repeat(280)} mongodb://u:hunter2${'y'.repeat(40)}@h`],
  ])('has no password in %s', (_name, body) => {
    expect(getProblemMessage(body)).not.toContain('hunter');
  });

  test('keeps its server and database in the message', () => {
    expect(getMessage({ detail: text })).toBe('Cannot open Server=db;Uid=u;Pwd=••••••••;Database=d');
  });
});

describe('error bodies', () => {
  test.each([
    ['error-builds-400-just-started.json', /^BE#983754 Data source not found/, undefined, undefined],
    ['error-v1-401-login.json', /^Invalid domain\.$/, 5001, undefined],
    ['error-v2-400-duplicate-title.json', /^ElasticubeAlreadyExists$/, 1011, '1011'],
  ])('%s is read correctly', (name, expected, code, sub) => {
    const problem = parseProblem(readRecordedText(name));
    expect(problem?.message).toMatch(expected);
    expect(problem).toMatchObject({ code, sub, logref: undefined, isStatusOnly: false });
  });

  test('the message is detail, reason, error.message, error, message or title, in this order', () => {
    const all = {
      detail: 'd',
      reason: 'r',
      error: { message: 'em' },
      message: 'm',
      title: 't',
    };
    expect(getMessage(all)).toBe('d');
    expect(getMessage({ ...all, detail: ' ' })).toBe('r');
    expect(getMessage({ ...all, detail: undefined, reason: 7 })).toBe('em');
    expect(getMessage({ error: 'text', message: 'm', title: 't' })).toBe('text');
    expect(getMessage({ error: {}, message: 'm', title: 't' })).toBe('m');
    expect(getMessage({ error: null, title: 't' })).toBe('t');
    expect(getMessage({ error: {} })).toBeUndefined();
    expect(getProblemMessage(JSON.stringify({ other: 'x' }))).toBe('{"other":"x"}');
    expect(getMessage({ status: 'error', error: 'x'.repeat(400) })).toHaveLength(300);
  });

  test.each([
    [{ error: { code: 30003, message: 'x' } }, 30003],
    [{ error: { code: '30004', message: 'x' } }, 30004],
    [{ code: 30001, message: 'x' }, 30001],
    [{ sub: '30006', title: 'x' }, 30006],
    [{ sub: 'ABC', title: 'x' }, undefined],
    [{ code: true, title: 'x' }, undefined],
    [{ code: '', title: 'x' }, undefined],
    [{ code: 1.5, title: 'x' }, undefined],
  ])('the problem code of %j is %s', (body, code) => {
    expect(parseProblem(JSON.stringify(body))?.code).toBe(code);
  });

  test('sub and logref are kept, shortened for display', () => {
    const problem = parseProblem(JSON.stringify({ title: 't', sub: 1011, logref: 'a'.repeat(200) }));
    expect(problem?.sub).toBe('1011');
    expect(problem?.logref).toHaveLength(100);
  });

  test.each([
    [{ error: 'Not Found', status: 404 }, true],
    [{ message: 'Route DELETE:/x not found', error: 'Not Found', statusCode: 404 }, true],
    [{ message: 'Cannot DELETE /api/elasticubes/datasecurity/1' }, true],
    [{ message: 'no Route matched with those values' }, true],
    [{ message: 'Method Not Allowed' }, true],
    [{ error: { code: 404, message: 'Data security not found' } }, false],
    [{ title: 'Not Found', status: 404 }, false],
    [{ error: { code: 404, message: 'Not Found' } }, false],
    [{ detail: 'The rule was not found' }, false],
  ])('%j only repeats the status: %s', (body, isStatusOnly) => {
    expect(parseProblem(JSON.stringify(body))?.isStatusOnly).toBe(isStatusOnly);
  });
});
