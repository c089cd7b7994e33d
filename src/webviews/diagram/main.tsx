import { render } from 'preact';
import type { FromDiagram, ToDiagram } from '../protocol/diagram.ts';
import { connectHost } from '../shared/host.ts';
import './diagram.css';
import { DiagramPage } from './diagramPage.tsx';

const root = document.querySelector('#root');
if (root !== null) {
  render(<DiagramPage host={connectHost<ToDiagram, FromDiagram>()} />, root);
}
