/** Takes a secret out of a text that came from elsewhere: a server may echo what it was sent. */
export function redact(text: string, secret: string | undefined): string {
  return secret === undefined || secret.length < 4 ? text : text.replaceAll(secret, '•••');
}
