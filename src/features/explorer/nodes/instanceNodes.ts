import { BuildsNode } from './buildNodes.ts';
import { CubeSetsNode } from './cubeSetNodes.ts';
import { CustomDataNode } from './customDataNodes.ts';
import { DatamodelsNode } from './datamodelNodes.ts';
import type { ConnectionChildNode, ExplorerNode, ExplorerNodeDeps } from './node.ts';
import { ViewpointsNode } from './viewpointNodes.ts';

/** Creates the nodes below a connection. This module is loaded when a connection is expanded, to keep startup fast. */
export const createInstanceNodes = (
  deps: ExplorerNodeDeps,
  connection: ConnectionChildNode,
): readonly ExplorerNode[] => [
  new DatamodelsNode(deps, connection),
  new CubeSetsNode(deps, connection),
  new ViewpointsNode(deps, connection),
  new CustomDataNode(deps, connection),
  new BuildsNode(deps, connection),
];
