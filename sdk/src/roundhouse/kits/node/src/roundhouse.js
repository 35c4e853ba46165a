/** Play all games of a lane under the referee that started this process. */
import grpc from "@grpc/grpc-js";
import protoLoader from "@grpc/proto-loader";

const API_VERSION = "{{api_version}}";
const NOT_STARTED = 2; // started by hand, without a referee
const REFUSED = 3; // the referee cannot be reached, refused the bot, or went away

const { PlayService } = grpc.loadPackageDefinition(
  protoLoader.loadSync("roundhouse/api/referee/v1/play.proto", {
    includeDirs: ["proto"], // the entry command runs in the bot's folder
    longs: String, // the number of a decision has 64 bits
    enums: String,
    defaults: true,
    oneofs: true, // `kind` names the member that is set
  }),
).roundhouse.api.referee.v1;

/**
 * Call the bot's methods as the referee's messages come, and end the process.
 *
 * `choose(decision)` is called for each decision and returns, or promises, one of its
 * `legalActions`. `gameStarted(game)` and `gameOver(result)` may be left out. What the bot throws is
 * not caught: its trace is part of the output that the ladder keeps for its owner.
 */
export async function serve(bot) {
  const { ROUNDHOUSE_SOCKET: socket, ROUNDHOUSE_TOKEN: token } = process.env;
  if (!socket || !token) {
    leave(NOT_STARTED, "A bot is started by the referee: try roundhouse play --sandbox.");
  }
  const client = new PlayService(`unix:${socket}`, grpc.credentials.createInsecure(), {
    "grpc.enable_http_proxy": 0, // a proxy in the environment is not for a Unix socket
  });
  const stream = client.play();
  const agent = `roundhouse-kit/${API_VERSION} node/${process.versions.node}`;
  stream.write({ hello: { token, apiVersion: API_VERSION, agent } });
  let isForfeited = false;
  for await (const message of received(stream, socket)) {
    switch (message.kind) {
      case "welcome":
        requireSameMajor(message.welcome.apiVersion);
        break;
      case "gameStarted":
        await bot.gameStarted?.(message.gameStarted);
        break;
      case "decision": {
        const action = await bot.choose(withKnownActions(message.decision));
        stream.write({ answer: { decisionId: message.decision.decisionId, action } });
        break;
      }
      case "gameOver":
        await bot.gameOver?.(message.gameOver);
        break;
      case "forfeited":
        console.error(`Forfeited: ${message.forfeited.sentence}`);
        isForfeited = true;
        break;
      case "goodbye":
        leave(0);
        break;
      default: // a kind of a newer minor version
    }
  }
  if (!isForfeited) {
    leave(REFUSED, "The referee ended the stream before its goodbye.");
  }
  leave(0);
}

/** Yield the referee's messages, one after another. */
async function* received(stream, socket) {
  try {
    yield* stream;
  } catch (error) {
    const { UNAUTHENTICATED, FAILED_PRECONDITION } = grpc.status;
    if ([UNAUTHENTICATED, FAILED_PRECONDITION].includes(error.code)) {
      leave(REFUSED, `The referee refused this bot: ${error.details}`);
    }
    leave(REFUSED, `No referee answers at ${socket}, or it went away (${error.details}).`);
  }
}

/** Leave out kinds of actions that a newer minor version has: the bot cannot know what they do. */
function withKnownActions(decision) {
  return { ...decision, legalActions: decision.legalActions.filter(({ kind }) => kind) };
}

function requireSameMajor(version) {
  if (version.split(".")[0] !== API_VERSION.split(".")[0]) {
    leave(
      REFUSED,
      `The referee speaks version ${version} of the protocol, and this bot ${API_VERSION}; ` +
        "write it anew with roundhouse new, and take your bot.js over.",
    );
  }
}

function leave(code, sentence) {
  if (sentence) {
    console.error(sentence);
  }
  process.exit(code);
}
