// The one door to the vendored renderer: `h` makes virtual nodes, `patch` brings the page up to them.
// Only attributes, classes, properties and listeners are used; inline styles are not (strict CSP).

import { h } from "../vendor/snabbdom/h.js";
import { init } from "../vendor/snabbdom/init.js";
import { attributesModule } from "../vendor/snabbdom/modules/attributes.js";
import { classModule } from "../vendor/snabbdom/modules/class.js";
import { eventListenersModule } from "../vendor/snabbdom/modules/eventlisteners.js";
import { propsModule } from "../vendor/snabbdom/modules/props.js";

const patch = init([attributesModule, classModule, propsModule, eventListenersModule]);

export { h, patch };
