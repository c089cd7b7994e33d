import type { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { DocumentLinks } from '../../documents/documentLinks.ts';

type ExpressionRef = Extract<ResourceRef, { kind: 'tableExpression' | 'columnExpression' }>;

/** The datamodel that a file belongs to. */
export interface FileDatamodel {
  readonly connectionId: string;
  readonly datamodelId: string;
  /** The title when the datamodel was picked. */
  readonly title?: string;
  /** The expression that the file is a copy of. */
  readonly resource?: ExpressionRef;
}

/**
 * Finds the datamodels of SQL files: the one that was picked for the file, or else that of the expression that it is a
 * copy of, or else the latest that was picked.
 */
export class FileDatamodels {
  readonly #picks: PickedDatamodels;
  readonly #links: DocumentLinks;

  constructor(picks: PickedDatamodels, links: DocumentLinks) {
    this.#picks = picks;
    this.#links = links;
  }

  get(file: string): FileDatamodel | undefined {
    const link = this.#getLink(file);
    const pick = this.#picks.getOwn(file) ?? (link === undefined ? this.#picks.latest : undefined);
    if (pick === undefined || (link !== undefined && isSameDatamodel(pick, link))) {
      return link && { ...link, ...pick };
    }
    return pick;
  }

  /** Returns the files that were picked for a datamodel, or that are copies of its expressions. */
  getFiles(datamodel: FileDatamodel): readonly string[] {
    return [...new Set([...this.#picks.files, ...this.#links.getFiles()])].filter((file) => {
      const own = this.#picks.getOwn(file) ?? this.#getLink(file);
      return own !== undefined && isSameDatamodel(own, datamodel);
    });
  }

  /** Returns whether files belong to a datamodel for which nothing was picked. */
  hasOtherFiles(datamodel: FileDatamodel): boolean {
    const { latest } = this.#picks;
    return latest !== undefined && isSameDatamodel(latest, datamodel);
  }

  #getLink(file: string): (FileDatamodel & { readonly resource: ExpressionRef }) | undefined {
    const path = this.#links.get(file);
    const { connectionId, resource } = (path === undefined ? undefined : readDocumentPath(path)) ?? {};
    return connectionId !== undefined &&
      (resource?.kind === 'tableExpression' || resource?.kind === 'columnExpression')
      ? { connectionId, datamodelId: resource.datamodelId, resource }
      : undefined;
  }
}

/** Returns whether two files belong to the same datamodel. */
export const isSameDatamodel = (a: FileDatamodel, b: FileDatamodel): boolean =>
  a.connectionId === b.connectionId && a.datamodelId === b.datamodelId;
