import type { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { DocumentLinks } from '../../documents/documentLinks.ts';

type ExpressionRef = Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;

/** The datamodel that a file belongs to. */
export interface FileDatamodelIds {
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
export class FileDatamodels {
  readonly #pickedDatamodels: PickedDatamodels;
  readonly #links: DocumentLinks;

  constructor(pickedDatamodels: PickedDatamodels, links: DocumentLinks) {
    this.#pickedDatamodels = pickedDatamodels;
    this.#links = links;
  }

  get(file: string): FileDatamodelIds | undefined {
    const link = this.#getLink(file);
    const pick =
      this.#pickedDatamodels.getOwn(file) ?? (link === undefined ? this.#pickedDatamodels.latest : undefined);
    if (pick === undefined || (link !== undefined && isSameDatamodel(pick, link))) {
      return link && { ...link, ...pick };
    }
    return pick;
  }

  /** Returns the files for which a datamodel was picked, or that are copies of its expressions. */
  getFiles(datamodel: FileDatamodelIds): readonly string[] {
    return [...new Set([...this.#pickedDatamodels.files, ...this.#links.getFiles()])].filter((file) => {
      const fileDatamodel = this.#pickedDatamodels.getOwn(file) ?? this.#getLink(file);
      return fileDatamodel !== undefined && isSameDatamodel(fileDatamodel, datamodel);
    });
  }

  /**
   * Returns whether a datamodel was picked last: files without a picked datamodel or an origin of their own then belong
   * to it.
   */
  isLatestPick(datamodel: FileDatamodelIds): boolean {
    const { latest } = this.#pickedDatamodels;
    return latest !== undefined && isSameDatamodel(latest, datamodel);
  }

  #getLink(file: string): (FileDatamodelIds & { readonly resource: ExpressionRef }) | undefined {
    const path = this.#links.get(file);
    const { connectionId, resource } = (path === undefined ? undefined : readDocumentPath(path)) ?? {};
    return connectionId !== undefined &&
      (resource?.kind === 'tableExpression' || resource?.kind === 'columnExpression')
      ? { connectionId, datamodelId: resource.datamodelId, resource }
      : undefined;
  }
}

/** Returns whether two files belong to the same datamodel. */
export const isSameDatamodel = (a: FileDatamodelIds, b: FileDatamodelIds): boolean =>
  a.connectionId === b.connectionId && a.datamodelId === b.datamodelId;
