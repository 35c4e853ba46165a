#include "roundhouse.hpp"

#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <string>

#include "roundhouse/api/referee/v1/play.grpc.pb.h"

namespace roundhouse {
namespace {

using api::referee::v1::PlayRequest;
using api::referee::v1::PlayResponse;
using api::referee::v1::PlayService;

const std::string kApiVersion = "{{api_version}}";

constexpr int kNotStarted = 2;
constexpr int kRefused = 3;

int fail(int code, const std::string& sentence) {
  std::cerr << sentence << std::endl;
  return code;
}

std::string major(const std::string& version) { return version.substr(0, version.find('.')); }

/// Leave out kinds of actions that a newer minor version has: the bot cannot know what they do.
const Decision& with_known_actions(Decision& decision) {
  auto& actions = *decision.mutable_legal_actions();
  const auto is_unknown = [](const Action& action) {
    return action.kind_case() == Action::KIND_NOT_SET;
  };
  actions.erase(std::remove_if(actions.begin(), actions.end(), is_unknown), actions.end());
  return decision;
}

}  // namespace

int serve(Bot& bot) {
  const char* socket = std::getenv("ROUNDHOUSE_SOCKET");
  const char* token = std::getenv("ROUNDHOUSE_TOKEN");
  if (socket == nullptr || token == nullptr) {
    return fail(kNotStarted, "A bot is started by the referee: try roundhouse play --sandbox.");
  }
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);  // no proxy for a Unix socket
  const auto channel = grpc::CreateCustomChannel(std::string("unix:") + socket,
                                                 grpc::InsecureChannelCredentials(), arguments);
  const auto stub = PlayService::NewStub(channel);
  grpc::ClientContext context;
  const auto stream = stub->Play(&context);

  PlayRequest request;
  request.mutable_hello()->set_token(token);
  request.mutable_hello()->set_api_version(kApiVersion);
  request.mutable_hello()->set_agent("roundhouse-kit/" + kApiVersion + " c++");
  stream->Write(request);

  PlayResponse response;
  bool is_forfeited = false;
  while (stream->Read(&response)) {
    switch (response.kind_case()) {
      case PlayResponse::kWelcome:
        if (major(response.welcome().api_version()) != major(kApiVersion)) {
          return fail(kRefused, "The referee speaks version " + response.welcome().api_version() +
                                    " of the protocol, and this bot " + kApiVersion +
                                    "; write it anew with roundhouse new, and take your bot.hpp "
                                    "over.");
        }
        break;
      case PlayResponse::kGameStarted:
        bot.game_started(response.game_started());
        break;
      case PlayResponse::kDecision: {
        api::referee::v1::Answer& answer = *request.mutable_answer();
        answer.set_decision_id(response.decision().decision_id());
        *answer.mutable_action() = bot.choose(with_known_actions(*response.mutable_decision()));
        stream->Write(request);  // if that fails, so does the next Read
        break;
      }
      case PlayResponse::kGameOver:
        bot.game_over(response.game_over());
        break;
      case PlayResponse::kForfeited:
        std::cerr << "Forfeited: " << response.forfeited().sentence() << std::endl;
        is_forfeited = true;
        break;
      case PlayResponse::kGoodbye:
        return 0;
      default:  // a kind of a newer minor version
        break;
    }
  }
  const grpc::Status status = stream->Finish();
  if (is_forfeited) {
    return 0;
  }
  if (status.ok()) {
    return fail(kRefused, "The referee ended the stream before its goodbye.");
  }
  if (status.error_code() == grpc::StatusCode::UNAUTHENTICATED ||
      status.error_code() == grpc::StatusCode::FAILED_PRECONDITION) {
    return fail(kRefused, "The referee refused this bot: " + status.error_message());
  }
  return fail(kRefused, std::string("No referee answers at ") + socket + ", or it went away (" +
                            status.error_message() + ").");
}

}  // namespace roundhouse
