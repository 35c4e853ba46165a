import { Greedy } from "./bot.js";
import { serve } from "./roundhouse.js";

serve(new Greedy());
