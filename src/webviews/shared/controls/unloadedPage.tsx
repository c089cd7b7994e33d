import type { ComponentChildren } from 'preact';

/** A page whose content is not known yet. It has the title of the page as its heading, for screen readers. */
export function UnloadedPage({ children }: { readonly children: ComponentChildren }) {
  return (
    <main>
      <h1 class="sr-only">{document.title}</h1>
      {children}
    </main>
  );
}
