// The runs that this browser began.

import { rememberedIn } from "../remembered.js";

export const { ids, remember, drop } = rememberedIn("runs");
