import * as vscode from 'vscode';

/** State of the editor under a prefix: each studio has its own, which survives a reload. */
class PrefixedMemento implements vscode.Memento {
  readonly #memento: vscode.Memento;
  readonly #prefix: string;

  constructor(memento: vscode.Memento, prefix: string) {
    this.#memento = memento;
    this.#prefix = prefix;
  }

  keys(): readonly string[] {
    return this.#memento
      .keys()
      .filter((key) => key.startsWith(this.#prefix))
      .map((key) => key.slice(this.#prefix.length));
  }

  get<T>(key: string, defaultValue?: T): T | undefined {
    return this.#memento.get(this.#prefix + key) ?? defaultValue;
  }

  update(key: string, value: unknown): Thenable<void> {
    return this.#memento.update(this.#prefix + key, value);
  }

  setKeysForSync(): void {
    // Nothing is synchronized here.
  }
}

class PrefixedSecrets implements vscode.SecretStorage {
  readonly #secrets: vscode.SecretStorage;
  readonly #prefix: string;
  readonly onDidChange: vscode.Event<vscode.SecretStorageChangeEvent>;

  constructor(secrets: vscode.SecretStorage, prefix: string) {
    this.#secrets = secrets;
    this.#prefix = prefix;
    this.onDidChange = (listener) =>
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(prefix)) {
          listener({ key: key.slice(prefix.length) });
        }
      });
  }

  async keys(): Promise<string[]> {
    const keys = await this.#secrets.keys();
    return keys.filter((key) => key.startsWith(this.#prefix)).map((key) => key.slice(this.#prefix.length));
  }

  get(key: string): Thenable<string | undefined> {
    return this.#secrets.get(this.#prefix + key);
  }

  store(key: string, value: string): Thenable<void> {
    return this.#secrets.store(this.#prefix + key, value);
  }

  delete(key: string): Thenable<void> {
    return this.#secrets.delete(this.#prefix + key);
  }
}

/** The editor's context of the extension with state, secrets and folders of its own. */
export function createContext(hostContext: vscode.ExtensionContext, name: string): vscode.ExtensionContext {
  const prefix = `${name}:`;
  const getFolder = (uri: vscode.Uri | undefined): vscode.Uri | undefined =>
    uri && vscode.Uri.joinPath(uri, name);
  const overrides: Partial<Record<keyof vscode.ExtensionContext, unknown>> = {
    subscriptions: [],
    globalState: new PrefixedMemento(hostContext.globalState, prefix),
    workspaceState: new PrefixedMemento(hostContext.workspaceState, prefix),
    secrets: new PrefixedSecrets(hostContext.secrets, prefix),
    globalStorageUri: getFolder(hostContext.globalStorageUri),
    storageUri: getFolder(hostContext.storageUri ?? hostContext.globalStorageUri),
    logUri: hostContext.logUri,
    extensionUri: hostContext.extensionUri,
    extension: hostContext.extension,
  };
  return Object.create(
    hostContext,
    Object.fromEntries(Object.entries(overrides).map(([key, value]) => [key, { value, enumerable: true }])),
  );
}
