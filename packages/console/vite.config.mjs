import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// What jspdf can do with pages of HTML, which nothing here asks it for; it imports these packages only then.
const FOR_HTML = /^(?:canvg|dompurify|html2canvas)$/;
const nothing = {
  name: 'parts of jspdf for HTML',
  enforce: 'pre',
  resolveId: (id, importer) => (FOR_HTML.test(id) && importer?.includes('jspdf') ? '\0nothing' : undefined),
  load: (id) => (id === '\0nothing' ? 'export default {};' : undefined),
};

const EDITOR = path.join(import.meta.dirname, 'src/editor/check');
/** For checks in a browser: what the packages take from Node, and the file of the engine. */
const withoutNode = {
  name: 'checks without node',
  enforce: 'pre',
  async resolveId(id, importer) {
    const isOurs = /\/packages\/(?:simulators|engine|merge)\//.test(importer ?? '');
    if (isOurs && id.startsWith('node:')) return path.join(EDITOR, 'node-parts.ts');
    if (isOurs && id.endsWith('/engine-assets.js')) return path.join(EDITOR, 'engine-assets.ts');
    return undefined;
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [nothing, react()],
  worker: { format: 'es', plugins: () => [withoutNode] },
  build: {
    outDir: path.join(import.meta.dirname, 'dist/bundle'),
    emptyOutDir: true,
    target: 'es2022',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // know light-dark(): what would be put in its place follows no switch
    assetsInlineLimit: 0, // data: addresses would need a wider policy
    chunkSizeWarningLimit: 2_000,
    manifest: true,
    reportCompressedSize: false,
  },
});
