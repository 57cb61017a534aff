/** Styles in addition to those of the viewer: for samples, and for small screens. */
export const DOCS_STYLE = `
body { margin: 0; }
.swagger-ui .wrapper { padding: 0 16px; }
.swagger-ui .info { margin: 24px 0; }
.swagger-ui .opblock-tag { flex-wrap: wrap; }
.swagger-ui .opblock-summary-path { word-break: break-word; }
.swagger-ui table { display: block; overflow-x: auto; }
.swagger-ui .headers :is(th, td) { padding-right: 12px; vertical-align: top; }
.samples { padding: 0 20px 16px; }
.samples [role=tablist] { display: flex; gap: 4px; margin: 8px 0; }
.samples [role=tab] { padding: 4px 12px; border: 1px solid #888; border-radius: 4px; background: none; color: inherit; cursor: pointer; }
.samples [role=tab][aria-selected=true] { background: #173647; color: #fff; }
.samples pre { margin: 0; padding: 12px; overflow: auto; border-radius: 4px; background: #1b1f24; color: #e6edf3; font-size: 12px; line-height: 1.5; }
`;

/** Starts the viewer. It shows the samples of each operation above its responses, and the licence without a link. */
export const DOCS_SCRIPT = `
const Samples = ({ React, samples }) => {
  const [chosen, choose] = React.useState(0);
  const h = React.createElement;
  const tab = ({ lang }, index) =>
    h('button', { key: lang, type: 'button', role: 'tab', 'aria-selected': index === chosen, onClick: () => choose(index) }, lang);
  return h('div', { className: 'samples' },
    h('h4', null, 'Samples'),
    h('div', { role: 'tablist' }, samples.map(tab)),
    h('pre', { tabIndex: 0 }, h('code', null, samples[chosen].source)));
};

// The viewer leads to a page of SPDX, which has none for an identifier of our own.
const licence = (_Linked, { React }) => ({ specSelectors }) =>
  React.createElement('div', null, 'Licence: ', specSelectors.specJson().getIn(['info', 'license', 'name']));

const ourParts = () => ({
  // No operation takes a file: base64 (prefix) is typed.
  afterLoad() {
    this.fn.isFileUploadIntended = () => false;
  },
  wrapComponents: {
    OAS31License: licence,
    responses: (Responses, { React }) => (props) => {
      const [path, method] = [props.path, props.method];
      const samples = props.specSelectors.specJson().getIn(['paths', path, method, 'x-codeSamples']);
      const { createElement: h, Fragment } = React;
      return h(Fragment, null, samples ? h(Samples, { React, samples: samples.toJS() }) : null, h(Responses, props));
    },
  },
});

SwaggerUIBundle({
  url: '../openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  plugins: [ourParts],
});
`;
