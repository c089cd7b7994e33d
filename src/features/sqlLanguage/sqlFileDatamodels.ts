import type { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { FileOrigins } from '../../documents/fileOrigins.ts';

type ExpressionRef = Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;

/** The datamodel that a file belongs to. */
export interface SqlFileDatamodel {
  readonly connectionId: string;
  readonly datamodelId: string;
  /** The title when the datamodel was picked. */
  readonly title?: string;
  /** The expression that the file is a copy of. */
  readonly resource?: ExpressionRef;
}

/**
 * Finds the datamodel of an SQL file: the one that the user picked for the file, or else that of the expression that
 * the file is a copy of, or else the one that was picked last for any file.
 */
export class SqlFileDatamodels {
  readonly #pickedDatamodels: PickedDatamodels;
  readonly #origins: FileOrigins;

  constructor(pickedDatamodels: PickedDatamodels, origins: FileOrigins) {
    this.#pickedDatamodels = pickedDatamodels;
    this.#origins = origins;
  }

  /** @param file the URI of the file, as text */
  get(file: string): SqlFileDatamodel | undefined {
    const origin = this.#getOrigin(file);
    const pick =
      this.#pickedDatamodels.getOwnPick(file) ??
      (origin === undefined ? this.#pickedDatamodels.latestPick : undefined);
    if (pick === undefined || (origin !== undefined && isSameDatamodel(pick, origin))) {
      return origin && { ...origin, ...pick };
    }
    return pick;
  }

  /** Returns the files for which a datamodel was picked, or that are copies of its expressions. */
  getFiles(datamodel: SqlFileDatamodel): readonly string[] {
    return [...new Set([...this.#pickedDatamodels.files, ...this.#origins.getFiles()])].filter((file) => {
      const fileDatamodel = this.#pickedDatamodels.getOwnPick(file) ?? this.#getOrigin(file);
      return fileDatamodel !== undefined && isSameDatamodel(fileDatamodel, datamodel);
    });
  }

  /**
   * Returns whether a datamodel was picked last: files without a picked datamodel or an origin of their own then belong
   * to it.
   */
  isLatestPick(datamodel: SqlFileDatamodel): boolean {
    const { latestPick } = this.#pickedDatamodels;
    return latestPick !== undefined && isSameDatamodel(latestPick, datamodel);
  }

  #getOrigin(file: string): (SqlFileDatamodel & { readonly resource: ExpressionRef }) | undefined {
    const path = this.#origins.get(file);
    const { connectionId, resource } = (path === undefined ? undefined : readDocumentPath(path)) ?? {};
    return connectionId !== undefined &&
      (resource?.kind === 'tableExpression' || resource?.kind === 'columnExpression')
      ? { connectionId, datamodelId: resource.datamodelId, resource }
      : undefined;
  }
}

/** Returns whether two references are to the same datamodel. */
export const isSameDatamodel = (a: SqlFileDatamodel, b: SqlFileDatamodel): boolean =>
  a.connectionId === b.connectionId && a.datamodelId === b.datamodelId;
