#include "json.hpp"

#include <stdio.h>

namespace simt {

Json& Json::open(char bracket) {
    raw("");
    text_ += bracket;
    first_ = true;
    return *this;
}

Json& Json::close(char bracket) {
    text_ += bracket;
    first_ = false;
    return *this;
}

Json& Json::raw(const char* value) {
    if (!first_) text_ += ',';
    first_ = false;
    text_ += value;
    return *this;
}

Json& Json::key(const char* name) {
    string(name);
    text_ += ':';
    first_ = true;
    return *this;
}

Json& Json::string(const char* value) {
    raw("\"");
    for (; *value; ++value) {
        const auto byte = static_cast<unsigned char>(*value);
        char escaped[8] = {*value};
        if (byte < 0x20 || byte == '"' || byte == '\\') snprintf(escaped, sizeof escaped, "\\u%04x", unsigned{byte});
        text_ += escaped;
    }
    text_ += '"';
    return *this;
}

Json& Json::number(int64_t value) { return raw(std::to_string(value).c_str()); }
Json& Json::number(uint64_t value) { return raw(std::to_string(value).c_str()); }
Json& Json::truth(bool value) { return raw(value ? "true" : "false"); }

Json& Json::number(double value) {
    char digits[64];
    snprintf(digits, sizeof digits, "%.3f", value);
    return raw(digits);
}

void Json::newline() {
    text_ += '\n';
    first_ = true;
}

}  // namespace simt
