import {
  type EndpointId,
  type PathDialect,
  PathSegmentError,
  formatPath,
  getPathTemplate,
} from '../../contract/endpoints.ts';

/**
 * Returns the path of a write, for display and logging. A parameter that can't be part of a path was rejected before
 * anything was sent; then the path template is returned.
 */
export function getWritePath(
  { endpoint, params }: { readonly endpoint: EndpointId; readonly params: Readonly<Record<string, string>> },
  dialect: PathDialect = 'plain',
): string {
  try {
    return formatPath(endpoint, params, dialect);
  } catch (error) {
    if (error instanceof PathSegmentError) {
      return getPathTemplate(endpoint, dialect);
    }
    throw error;
  }
}
